import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { QueryAnswer } from '../contracts/graph-pod/endpoints';
import { parseExactJson } from './exact-json';

/** The answer to a Cypher query. Integers JavaScript cannot hold exactly are bigints in `rows`. */
export type GraphAnswer = t.TypeOf<typeof QueryAnswer>;

/** Reads the text an instance answers a query with; `left` says what is wrong with it. */
export const readGraphAnswer = (text: string): Either<string, GraphAnswer> => {
  const decoded = QueryAnswer.decode(parseExactJson(text));
  return isLeft(decoded) ? left('The instance did not answer with rows.') : right(decoded.right);
};
