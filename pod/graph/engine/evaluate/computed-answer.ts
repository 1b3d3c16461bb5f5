import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery, type Refusal } from '../cypher/analyse-query';
import { positionAt } from '../cypher/cypher-tokens';
import { type Query } from '../cypher/tree';
import { type TypeOf, valueTypes } from '../cypher/value-types';
import { expressionsIn } from '../cypher/walk';
import { type GraphAnswer, type GraphQuery, MAX_BYTES, type QueryFailure } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type Row, type Table } from './context';
import { type DividedQuery, dividedQueries, isComputable, MAX_READ_ROWS, readsGraph } from './divided-query';
import { afterClauses, contextOf, tableOf } from './evaluate-clauses';
import { EvaluationFault, unsupported } from './evaluation-fault';
import { columnType, parameterValue, RowValues } from './row-values';
import { GraphNode, type Value } from './values';

/** An engine that may refuse what the pod can compute. */
export interface Computing {
  readonly schema: GraphSchema;
  readonly analyse: (text: string) => Either<Refusal, AnalysedQuery>;
  readonly ask: (query: GraphQuery) => Promise<Either<QueryFailure, GraphAnswer>>;
}

/** While other requests wait: each value of an expression, and each item of a list, is a step. */
const MAX_STEPS = 300_000;

/**
 * The answer of an engine. Where it refuses a query, the pod computes the clauses after the last MATCH of the rows that
 * the engine finds, up to `MAX_READ_ROWS`. Lists, maps and comparisons without a graph are computed by the pod alone,
 * because their values may have any type.
 */
export const computedAnswer = async (
  { schema, analyse, ask }: Computing,
  query: GraphQuery,
): Promise<Either<QueryFailure, GraphAnswer>> => {
  const startedAt = Date.now();
  const analysed = analyse(query.text);
  if (isLeft(analysed)) return ask(query);
  const asked = analysed.right;
  const isComplete = asked.parameters.every((name) => Object.hasOwn(query.parameters, name));
  const alone = (): Computed =>
    isComplete && isWithoutGraph(asked)
      ? computed(asked, query, new RowValues(schema), (context) => tableOf(asked.query, new Map(), context))
      : null;
  const known = usesValues(asked) ? alone() : null;
  if (known instanceof EvaluationFault) return left(errorIn(query.text, known));
  if (known !== null) return right(known);
  const answer = await ask(query);
  if (!isLeft(answer) || answer.left.kind !== 'rejected' || !isComplete) return answer;
  const made = alone();
  if (made !== null && !(made instanceof EvaluationFault)) return right(made);
  for (const divided of dividedQueries(asked)) {
    const timeoutMs = query.timeoutMs - (Date.now() - startedAt);
    const rest = analyse(divided.text);
    if (isLeft(rest) || timeoutMs <= 0) continue;
    const read = await ask({ ...query, text: divided.text, timeoutMs });
    if (isLeft(read) || read.right.rowCount > MAX_READ_ROWS || read.right.truncated) continue;
    const values = new RowValues(schema);
    const { query: readQuery } = rest.right;
    const typeOf = valueTypes(readQuery, schema);
    const found = computed(asked, query, values, (context) =>
      afterClauses(divided.rest, rowsOf(read.right, divided, readQuery, typeOf, values), context),
    );
    const { warnings } = read.right;
    if (found !== null && !(found instanceof EvaluationFault))
      return right(warnings === undefined ? found : { ...found, warnings });
  }
  return answer;
};

/** Whether a query that the engine refuses may have an answer; `refuses`: whether it refuses a text. */
export const mayBeComputed = (asked: AnalysedQuery, refuses: (text: string) => boolean): boolean =>
  isWithoutGraph(asked) || dividedQueries(asked).some(({ text }) => !refuses(text));

const isWithoutGraph = ({ query, explain }: AnalysedQuery): boolean => {
  const clauses = query.parts.flat();
  return explain === null && new Set(query.unions).size < 2 && !clauses.some(readsGraph) && isComputable(clauses);
};

const VALUES = /^(list|map|map_projection|comparison|case|quantifier|comprehension|reduction|index|slice|property)$/;

const usesValues = ({ query }: AnalysedQuery): boolean =>
  [...expressionsIn(query)].some(
    (value) =>
      VALUES.test(value.kind) ||
      (value.kind === 'binary' && value.operator === 'IN') ||
      (value.kind === 'call' && /^keys$/i.test(value.name)),
  );

/** A fault where openCypher has no answer; null where the pod cannot compute it, or not within its limits. */
type Computed = GraphAnswer | EvaluationFault | null;

const errorIn = (text: string, { message, offset }: EvaluationFault): QueryFailure => ({
  kind: 'rejected',
  message: `In openCypher this is an error: ${message}.`,
  position: offset === null ? null : positionAt(text, offset),
});

const computed = (
  { text, parameters: names }: AnalysedQuery,
  { parameters }: GraphQuery,
  values: RowValues,
  compute: (context: ReturnType<typeof contextOf>) => Table,
): Computed => {
  try {
    const known = new Map(names.map((name) => [name, parameterValue(parameters[name])]));
    const { columns, rows } = compute(contextOf(text, known, () => unsupported('a pattern'), MAX_STEPS));
    const cells = rows.map((row) => columns.map((column) => row.get(column) ?? null));
    const rowsJson = `[${cells.map((row) => `[${row.map((value) => values.text(value)).join(',')}]`).join(',')}]`;
    if (Buffer.byteLength(rowsJson) > MAX_BYTES) return null;
    const columnTypes = columns.map((_, at) => columnType(cells.map((row) => row[at] ?? null)));
    return { columns, columnTypes, rowsJson, rowCount: rows.length, truncated: false };
  } catch (error) {
    if (error instanceof EvaluationFault) return error.kind === 'error' ? error : null;
    throw error;
  }
};

/** The rows of the engine as the rest of the query knows them: a node has the properties that were asked for. */
const rowsOf = (
  answer: GraphAnswer,
  { columns }: DividedQuery,
  { parts }: Query,
  typeOf: TypeOf,
  values: RowValues,
): readonly Row[] => {
  const last = parts[0]?.at(-1);
  const items = last?.kind === 'return' ? last.items : [];
  const typed = items.map(({ value }, at) => [`${at}`, typeOf(value)] as const);
  return values.rows(answer, typed).map((cells) => {
    const row = new Map<string, Value>();
    const properties = new Map<string, Map<string, Value>>();
    for (const [at, { name, property }] of columns.entries()) {
      const value = cells.get(`${at}`) ?? null;
      if (property === null) row.set(name, value);
      else properties.set(name, (properties.get(name) ?? new Map<string, Value>()).set(property, value));
    }
    for (const [name, found] of properties) row.set(name, new GraphNode(0, [], found));
    return row;
  });
};
