import { isText } from '../../query/literal';

/** What the binding hands to the engine. */
export type EngineValue = string | number | boolean | (string | number | boolean | null)[];

/**
 * A JSON value as the binding can carry it beside a text, or null where it would not come out as it was sent: it makes
 * null of `[]`, gives all items of a list the type of the first, which must not be null, and rounds integers.
 */
export const boundValue = (value: unknown): EngineValue | null => {
  if (!Array.isArray(value)) return isPlainText(value) || isBoolean(value) || isExact(value) ? value : null;
  if (value[0] === null) return null;
  return areAll(value, isPlainText) || areAll(value, isBoolean) || areAll(value, isInteger) ? value : null;
};

/**
 * A list of numbers or of booleans, nulls among them, as one text of any length, of which the engine makes the list while
 * it plans. Null for other lists, and for numbers that were rounded before they came here.
 */
export const castOfList = (items: readonly unknown[]): string | null => {
  const type = areAll(items, isBoolean)
    ? 'BOOL'
    : areAll(items, isInteger)
      ? 'INT64'
      : areAll(items, isNumber)
        ? 'DOUBLE'
        : null;
  if (type === null) return null;
  const texts = items.map((item) => (typeof item === 'number' ? numberText(item) : String(item)));
  return `CAST('[${texts.join(',')}]' AS ${type}[])`;
};

export const numberText = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value).replace('e+', 'e'));

/** Beyond 2^64 no integer can have been meant. */
export const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;

const isPlainText = (value: unknown): value is string => typeof value === 'string' && isText(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
/** The binding makes 0 of -0. */
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value) && !Object.is(value, -0);
const isExact = (value: unknown): value is number => isInteger(value) || (isNumber(value) && !Number.isInteger(value));
const isNumber = (value: unknown): value is number => Number.isFinite(value) && !isRounded(Number(value));

/** At least one, and none that is neither such a value nor null. */
const areAll = <A>(items: readonly unknown[], is: (item: unknown) => item is A): items is (A | null)[] =>
  items.some(is) && items.every((item) => item === null || is(item));
