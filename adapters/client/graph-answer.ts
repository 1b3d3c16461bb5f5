import { randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { QueryAnswer } from '../contracts/graph-pod/endpoints';

/** The answer to a Cypher query. Integers JavaScript cannot hold exactly are bigints in `rows`. */
export type GraphAnswer = t.TypeOf<typeof QueryAnswer>;

/** Reads the text an instance answers a query with; `left` says what is wrong with it. */
export const readGraphAnswer = (text: string): Either<string, GraphAnswer> => {
  const decoded = QueryAnswer.decode(parseExactJson(text));
  return isLeft(decoded) ? left('The instance did not answer with rows.') : right(decoded.right);
};

/** Strings, to step over them, and numbers. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without rounding: whole numbers beyond 2^53 become bigints. Undefined where the text is no JSON.
 *
 * `JSON.parse` of Node.js 20 does not show how a number was written, so such numbers are marked as strings first, with
 * a mark nobody can know.
 */
export const parseExactJson = (text: string): unknown => {
  const mark = randomUUID();
  const marked = text.replaceAll(STRINGS_AND_NUMBERS, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  try {
    return JSON.parse(marked, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
    );
  } catch {
    return undefined;
  }
};

/** The counterpart of `parseExactJson`. */
export const exactJson = (value: unknown): string => {
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${mark}${one}` : one));
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
};
