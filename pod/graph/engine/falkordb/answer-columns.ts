import { answerTypeName } from '../column-type';
import { type CypherToken } from '../query/cypher-tokens';
import { type GraphProperty, type GraphSchema } from '../graph-schema';
import { type ResultShape } from '../query/result-shape';
import { textOf, type Reply } from './resp';
import { VALUE } from './scalar-json';
import { storageOf, type Storage } from './storage';
import { type ValueEncoder } from './value-encoder';

/** One column of an answer, which learns its type from what it is and from the values it sees. */
export interface AnswerColumn {
  readonly encode: (type: number, value: Reply) => string;
  readonly typeName: () => string;
}

const NAME_OF: Readonly<Record<number, string>> = {
  [VALUE.text]: 'STRING',
  [VALUE.integer]: 'INT64',
  [VALUE.boolean]: 'BOOL',
  [VALUE.double]: 'DOUBLE',
  [VALUE.list]: 'LIST',
  [VALUE.edge]: 'REL',
  [VALUE.node]: 'NODE',
  [VALUE.path]: 'PATH',
  [VALUE.map]: 'MAP',
  [VALUE.timestamp]: 'TIMESTAMP',
  [VALUE.date]: 'DATE',
};

const STORED_AS: Readonly<Record<Storage, number>> = {
  integer: VALUE.integer,
  double: VALUE.double,
  boolean: VALUE.boolean,
  text: VALUE.text,
  json: VALUE.text,
  list: VALUE.list,
};

/**
 * The columns of an answer. A column that is just `x.name` has the type the graph declares for that property; any
 * other has the type of its values. The engine itself keeps dates and nested values as text.
 */
export const answerColumns = (
  count: number,
  { projections }: ResultShape,
  schema: GraphSchema,
  encoder: ValueEncoder,
): readonly AnswerColumn[] => {
  const items = projections.length === 1 ? projections[0]?.items : undefined;
  return Array.from({ length: count }, (_, index) => {
    const expression = items?.length === count ? items[index]?.expression : undefined;
    const property = expression === undefined ? null : declaredProperty(expression, schema);
    return answerColumn(property, encoder);
  });
};

const answerColumn = (property: GraphProperty | null, encoder: ValueEncoder): AnswerColumn => {
  const seen = new Set<number>();
  const storage = property === null ? null : storageOf(property.type);
  const expected = storage === null ? null : STORED_AS[storage];
  return {
    encode: (type, value) => {
      if (type !== VALUE.null) seen.add(type);
      if (storage === 'json' && type === VALUE.text) {
        const text = textOf(value);
        if (isJson(text)) return text;
      }
      return encoder.encode(type, value);
    },
    typeName: () => {
      if (property !== null && [...seen].every((type) => type === expected)) {
        return property.type.kind === 'scalar' ? property.declaredType : answerTypeName(property.type);
      }
      const [only, ...others] = [...seen].map((type) => NAME_OF[type] ?? 'ANY');
      return only === undefined || others.length > 0 ? 'ANY' : only;
    },
  };
};

/** The property an expression `x.name` reads, when every table that has the name declares it with one type. */
const declaredProperty = (expression: readonly CypherToken[], schema: GraphSchema): GraphProperty | null => {
  const [variable, dot, last, ...more] = expression;
  if (dot?.text !== '.' || last === undefined || more.length > 0 || variable?.kind === 'number') return null;
  const name = last.kind === 'quoted_name' ? last.text.slice(1, -1) : last.text;
  const found = [
    ...schema.nodeTables.flatMap(({ primaryKey, properties }) => [primaryKey, ...properties]),
    ...schema.edgeTables.flatMap(({ properties }) => properties),
  ].filter((property) => property.name === name);
  const [first] = found;
  const same = (property: GraphProperty): boolean =>
    property.declaredType === first?.declaredType && storageOf(property.type) === storageOf(first.type);
  return first !== undefined && found.every(same) ? first : null;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
