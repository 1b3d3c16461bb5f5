import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseExactJson } from './exact-json';

const GraphAnswer = t.type({
  columns: t.array(t.string),
  column_types: t.array(t.string),
  rows: t.array(t.array(t.unknown)),
  row_count: t.number,
  execution_time_ms: t.number,
  truncated: t.boolean,
});

/** The answer to a Cypher query. Integers JavaScript cannot hold exactly are bigints in `rows`. */
export type GraphAnswer = t.TypeOf<typeof GraphAnswer>;

/** Reads the text an instance answers a query with; `left` says what is wrong with it. */
export const readGraphAnswer = (text: string): Either<string, GraphAnswer> => {
  const decoded = GraphAnswer.decode(parseExactJson(text));
  return isLeft(decoded) ? left('The instance did not answer with rows.') : right(decoded.right);
};
