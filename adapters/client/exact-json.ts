import { randomUUID } from 'node:crypto';

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
