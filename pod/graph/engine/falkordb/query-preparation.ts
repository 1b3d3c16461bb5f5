import { type Either, isLeft } from 'fp-ts/Either';
import { type Refusal, refusing } from '../cypher/analyse-query';
import { freshNames } from '../cypher/build';
import { type CureContext } from '../cypher/cure';
import { checkEngineCalls } from '../cypher/gate';
import { type PrintedQuery, printQuery } from '../cypher/print-query';
import { checkRegularExpressions } from '../cypher/regular-expressions';
import { valueTypes } from '../cypher/scopes';
import { type Expression, type Query } from '../cypher/tree';
import { jsonType, type ValueType } from '../cypher/value-type';
import { changeExpressions, expressionsIn } from '../cypher/walk';
import { createQueryTexts } from '../evaluate/query-texts';
import { Duration } from '../evaluate/temporal/duration';
import { Moment } from '../evaluate/temporal/moment';
import { type GraphQuery } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { FALKORDB_CURES } from './language';
import { withNamedColumns } from './named-columns';
import { isDay } from './quirks/stored-times';
import { VOCABULARY } from './vocabulary';

interface QueryRequest extends Pick<GraphQuery, 'text' | 'parameters' | 'walks'> {
  /** The query with computed constants, which takes the place of that of the text. */
  readonly folded?: Query;
}

/** The last text for the server of a query. */
interface SentQuery {
  readonly schema: GraphSchema;
  readonly walks: boolean;
  /** Those of its parameters, as a text. */
  readonly types: string;
  readonly sent: Either<Refusal, PrintedQuery>;
}

export type QueryPreparation = ReturnType<typeof createQueryPreparation>;

/** Checks, changes and prints queries; results that depend only on the text, the schema and the types of parameters are computed once. */
export const createQueryPreparation = () => {
  const texts = createQueryTexts(VOCABULARY);
  const sentQueries = new WeakMap<Query, SentQuery>();

  /** The query with the cures of the quirks, in the server's syntax, or the reason for its rejection. */
  const prepare = (
    { text, parameters, walks = false, folded }: QueryRequest,
    schema: GraphSchema,
  ): Either<Refusal, PrintedQuery> => {
    const analysed = texts.analyse(text);
    if (isLeft(analysed)) return analysed;
    const untyped = folded ?? analysed.right.query;
    const known = typesOf(parameters);
    const types = JSON.stringify([...known], (_, value: unknown) => (value instanceof Map ? [...value] : value));
    const last = sentQueries.get(untyped);
    if (last?.schema === schema && last.walks === walks && last.types === types) return last.sent;
    const { context, usesValues } = contextOf(text, schema, walks, parameters);
    const sent = refusing(text, () => {
      const query = changeExpressions(untyped, (value) =>
        value.kind === 'parameter' ? { ...value, type: known.get(value.name) ?? value.type } : value,
      );
      const typeOf = valueTypes(query, schema);
      const isOther = (value: Expression) => !isDay(value, typeOf);
      checkEngineCalls(expressionsIn(query).filter(isOther), VOCABULARY);
      if (text.includes('=~')) checkRegularExpressions(query, context.parameters);
      const cured = FALKORDB_CURES.reduce((last, cure) => cure(last, context), query);
      return printQuery(withNamedColumns(cured, context));
    });
    if (!usesValues() || analysed.right.parameters.length === 0)
      sentQueries.set(untyped, { schema, walks, types, sent });
    return sent;
  };

  return { ...texts, prepare };
};

/** A date or time cannot be a parameter of the server; its type is that of its expression. */
export const isTime = (value: unknown): boolean => value instanceof Moment || value instanceof Duration;

const typesOf = (parameters: CureContext['parameters']): ReadonlyMap<string, ValueType> =>
  new Map(Object.entries(parameters).flatMap(([name, value]) => (isTime(value) ? [] : [[name, jsonType(value)]])));

/** Records whether a cure uses the values of one query. */
const contextOf = (text: string, schema: GraphSchema, walks: boolean, values: CureContext['parameters']) => {
  let isUsed = false;
  const context: CureContext = {
    text,
    schema,
    walks,
    newName: freshNames(text),
    get parameters() {
      isUsed = true;
      return values;
    },
  };
  return { context, usesValues: () => isUsed };
};
