import { randomBytes } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { type FieldError } from '../../../domain/kernel/codecs';
import { JSON_TOKEN } from '../../../domain/kernel/json-token';

/**
 * Parses a JSON body. In the values of `field`, an object, an integer of the text is a bigint, and a number with a
 * fraction or an exponent is a number. Left: numbers there that are out of range, and texts with half a
 * character, which engines would change. Throws for invalid JSON.
 */
export const parseExactBody = (text: string, field: string): Either<readonly FieldError[], unknown> => {
  const body: unknown = JSON.parse(text);
  if (!isObject(body) || !isObject(body[field])) return right(body);
  // `JSON.parse` of Node.js 20 does not expose the text of a number, so some are parsed again, as marked strings.
  const mark = randomBytes(9).toString('base64');
  const marked: unknown = JSON.parse(
    text.replace(JSON_TOKEN, (token) => (token.startsWith('"') || !isLost(token) ? token : `"${mark}${token}"`)),
  );
  const values = new Map(Object.entries(isObject(marked) && isObject(marked[field]) ? marked[field] : {}));
  const errors: FieldError[] = [];
  for (const [name, value] of values) {
    const holder = { value };
    changeScalars(holder, (scalar) => {
      if (typeof scalar === 'number' && Number.isInteger(scalar)) return BigInt(scalar);
      if (typeof scalar === 'string' && /\p{Surrogate}/u.test(scalar))
        errors.push({ field: `${field}.${name}`, message: 'must not contain half a surrogate pair' });
      if (typeof scalar !== 'string' || !scalar.startsWith(mark)) return scalar;
      const token = scalar.slice(mark.length);
      const number = isInteger(token) ? BigInt(token) : Number(token);
      if (!isInRange(number)) errors.push({ field: `${field}.${name}`, message: outOfRange(token) });
      return number;
    });
    values.set(name, holder.value);
  }
  return errors.length > 0 ? left(errors) : right({ ...body, [field]: Object.fromEntries(values) });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInteger = (token: string): boolean => /^-?\d+$/.test(token);

/** Whether `JSON.parse` loses the value of a number, or that it has a fraction or an exponent. */
const isLost = (token: string): boolean => {
  const value = Number(token);
  return isInteger(token) ? !Number.isSafeInteger(value) : Number.isInteger(value) || !Number.isFinite(value);
};

const isInRange = (value: number | bigint): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isFinite(value);

const outOfRange = (token: string): string => {
  const shown = token.length > 50 ? `${token.slice(0, 50)}…` : token;
  return isInteger(token)
    ? `holds the integer ${shown}, which has more than 64 bits; write ${shown}.0 for a float, or send a string`
    : `holds the number ${shown}, which is beyond the range of a float, 1.8e308; send a string`;
};

/** Changes all scalars in a value in place. Without recursion, because a body may be deep. */
const changeScalars = (root: object, change: (scalar: unknown) => unknown): void => {
  const open = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const [key, value] of Object.entries<unknown>({ ...container })) {
      if (typeof value === 'object' && value !== null) open.push(value);
      else Object.defineProperty(container, key, { value: change(value) });
    }
  }
};
