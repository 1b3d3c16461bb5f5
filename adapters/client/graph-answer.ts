import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { v4 as randomUuid } from 'uuid';
import { NeighboursAnswer, QueryAnswer } from '../contracts/graph-pod/endpoints';

/** The result of a Cypher query. Integers that JavaScript cannot represent exactly are bigints in `rows`. */
export type GraphAnswer = t.TypeOf<typeof QueryAnswer>;

export const readGraphAnswer = (text: string): Either<string, GraphAnswer> => {
  const decoded = QueryAnswer.decode(parseExactJson(text));
  return isLeft(decoded) ? left('The instance returned an invalid answer.') : right(decoded.right);
};

/** Nodes with their neighbours. Integers that JavaScript cannot represent exactly are bigints in properties. */
export type Neighbours = t.TypeOf<typeof NeighboursAnswer>['data'];

export const readNeighbours = (text: string): Either<string, Neighbours> => {
  const decoded = NeighboursAnswer.decode(parseExactJson(text));
  return isLeft(decoded) ? left('The instance returned an invalid answer.') : right(decoded.right.data);
};

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without rounding: integers beyond 2^53 become bigints. Undefined for invalid JSON.
 *
 * `JSON.parse` of Node.js 20 does not expose the text of a number, so these numbers are first replaced by strings with
 * a random marker.
 */
export const parseExactJson = (text: string): unknown => {
  const mark = randomUuid();
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

const TEXT = Symbol('JSON text');

/** A value that `exactJson` writes as this text; a type alias, so that it fits records of any values. */
export type JsonText = { readonly [TEXT]: string };
/** @param text Valid JSON. */
export const jsonText = (text: string): JsonText => ({ [TEXT]: text });

/** The text of a value that is not JSON for `JSON.stringify`. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null && TEXT in value ? String(value[TEXT]) : null;
};

/** JSON with integers of any size, and with `JsonText`. */
export const exactJson = (value: unknown): string => {
  const mark = randomUuid();
  const texts: string[] = [];
  const marked = JSON.stringify(value, (_, one: unknown) => {
    const text = textOf(one);
    return text === null ? one : `${mark}${texts.push(text) - 1}`;
  });
  if (texts.length === 0) return marked;
  return marked.replaceAll(new RegExp(`"${mark}(\\d+)"`, 'g'), (_, index: string) => texts[Number(index)] ?? '');
};
