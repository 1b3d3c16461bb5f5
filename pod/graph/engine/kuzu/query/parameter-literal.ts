import { type Either, isLeft, left, map, right, traverseArray } from 'fp-ts/Either';
import { cast, literal, number } from '../../cypher/build';
import { type Expression, type MapEntry } from '../../cypher/tree';
import { floatText, isText, NOT_TEXT } from '../../literal';

/** Each item of a list or map in the text uses some 65 KB of the engine's memory, which it does not count. */
export const MAX_WRITTEN_ITEMS = 1_000;

type LiteralPart = Either<string, Expression>;

/** A parameter occurs in several places; the engine's errors in its value do not have a position. */
const NOWHERE = { start: 0, end: 0 };

/** The value of a parameter as a part of a query, or the reason why it cannot be one. */
export const literalOf = (value: unknown): LiteralPart => {
  if (Array.isArray(value) && holds(value, isLarge) && holds(value, isFloat)) return left(WOULD_BE_ROUNDED);
  const flat = Array.isArray(value) ? castOfList(value) : null;
  if (flat !== null) return right(flat);
  const aligned = alignedMaps(value);
  return isLeft(aligned) ? aligned : partOf(aligned.right);
};

const WOULD_BE_ROUNDED =
  'this graph database would round its integers beyond 2^53 to floats, because it holds floats, too; send two lists.';

const holds = (value: unknown, is: (item: unknown) => boolean): boolean =>
  is(value) || (typeof value === 'object' && value !== null && Object.values(value).some((item) => holds(item, is)));

/** Nulls and lists with nulls as parts of a query, because cures depend on them; other parameters are omitted. */
export const nullLiterals = (parameters: Readonly<Record<string, unknown>>): ReadonlyMap<string, Expression> =>
  new Map(
    Object.entries(parameters).flatMap(([name, value]) => {
      const isCured =
        value === null ||
        (Array.isArray(value) && value.length <= MAX_WRITTEN_ITEMS && (value.length === 0 || value.includes(null)));
      const part = isCured ? partOf(value) : null;
      return part === null || isLeft(part) ? [] : [[name, part.right] as const];
    }),
  );

const partOf = (value: unknown): LiteralPart => {
  if (value === null || value === undefined) return right(literal(null, NOWHERE));
  if (value instanceof TypedNull) return right(cast(literal(null, NOWHERE), value.type));
  if (typeof value === 'boolean') return right(literal(value, NOWHERE));
  if (typeof value === 'bigint') return right(signed(String(value)));
  if (typeof value === 'string') return isText(value) ? right(literal(value, NOWHERE)) : left(NOT_TEXT);
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) return listOf(value);
  return typeof value === 'object' ? mapOf(value) : left(`a ${typeof value} cannot be a value in a query.`);
};

const numberOf = (value: number): LiteralPart =>
  Number.isFinite(value) ? right(signed(kuzuFloat(value))) : left('not a finite number.');

const signed = (text: string): Expression =>
  text.startsWith('-')
    ? { kind: 'unary', operator: '-', of: number(text.slice(1), NOWHERE), ...NOWHERE }
    : number(text, NOWHERE);

const listOf = (values: readonly unknown[]): LiteralPart =>
  map((items: readonly Expression[]): Expression => ({ kind: 'list', items, ...NOWHERE }))(
    traverseArray(partOf)(values),
  );

/** The engine does not quote the names of fields in the type of a map. */
const FIELD_NAME = /^[^\s(),[\]]+( [^\s(),[\]]+)*$/;

const mapOf = (value: object): LiteralPart => {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (fields.length === 0) return left('empty objects are not possible in this graph database; omit the field.');
  return map((entries: readonly MapEntry[]): Expression => ({ kind: 'map', entries, ...NOWHERE }))(
    traverseArray(entryOf)(fields),
  );
};

const entryOf = ([key, inner]: readonly [string, unknown]): Either<string, MapEntry> =>
  isText(key) && FIELD_NAME.test(key)
    ? map((value: Expression) => ({ key: { text: key, ...NOWHERE }, value }))(partOf(inner))
    : left(`${JSON.stringify(key)} cannot be a map key in this graph database.`);

/**
 * A list of numbers or of booleans, with nulls, as one string of any length, which the engine converts while it plans.
 * Null for other lists.
 */
const castOfList = (items: readonly unknown[]): Expression | null => {
  const type = areAll(items, isBoolean)
    ? 'BOOL'
    : areAll(items, isInteger)
      ? 'INT64'
      : areAll(items, isNumber)
        ? 'DOUBLE'
        : null;
  if (type === null) return null;
  const texts = items.map((item) => (typeof item === 'number' ? kuzuFloat(item) : String(item)));
  return cast(literal(`[${texts.join(',')}]`, NOWHERE), `${type}[]`);
};

const kuzuFloat = (value: number): string => floatText(value).replace('e+', 'e');

export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
export const isInteger = (value: unknown): value is bigint => typeof value === 'bigint';
const isFloat = (value: unknown): value is number => typeof value === 'number';
const isNumber = (value: unknown): value is number | bigint =>
  isInteger(value) || (isFloat(value) && Number.isFinite(value));
/** An integer that JavaScript and floats round. */
export const isLarge = (value: unknown): value is bigint => isInteger(value) && !Number.isSafeInteger(Number(value));

/** Whether at least one item is such a value and all others are null. */
export const areAll = <A>(items: readonly unknown[], is: (item: unknown) => item is A): items is (A | null)[] =>
  items.some(is) && items.every((item) => item === null || is(item));

/** A field that is null in one map, and has a value in another map of the list. */
class TypedNull {
  constructor(readonly type: string) {}
}

const scalarType = (value: unknown): string | null => {
  if (typeof value === 'string') return 'STRING';
  if (isBoolean(value)) return 'BOOL';
  return isInteger(value) ? 'INT64' : typeof value === 'number' ? 'DOUBLE' : null;
};

/**
 * A value whose maps in a list have their fields in the same order: the engine uses the field names of the last one for
 * all, by position. Maps with different fields in one list are rejected.
 */
const alignedMaps = (value: unknown): Either<string, unknown> => {
  const fieldsByPlace = new Map<string, readonly string[]>();
  const typesByPlace = new Map<string, string>();
  const differing: string[] = [];
  const typed = (item: unknown, place: string): unknown => {
    if (Array.isArray(item)) return item.map((part) => typed(part, `${place}[]`));
    const type = typesByPlace.get(place);
    if (item === null && type !== undefined) return new TypedNull(type);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, part]) => [key, typed(part, fieldOf(place, key))]));
  };
  const align = (item: unknown, place: string): unknown => {
    if (Array.isArray(item)) return item.map((part) => align(part, `${place}[]`));
    const type = scalarType(item);
    if (type !== null && place.endsWith('"')) typesByPlace.set(place, type);
    if (typeof item !== 'object' || item === null) return item;
    const own = new Map<string, unknown>(Object.entries(item));
    const fields = fieldsByPlace.get(place) ?? [...own.keys()];
    fieldsByPlace.set(place, fields);
    if (fields.length !== own.size || !fields.every((field) => own.has(field))) differing.push(place);
    return Object.fromEntries(fields.map((name) => [name, align(own.get(name), fieldOf(place, name))]));
  };
  const aligned = align(value, '');
  if (differing.length === 0) return right(typesByPlace.size === 0 ? aligned : typed(aligned, ''));
  return left('all maps in a list need the same fields; add the missing ones with a value.');
};

const fieldOf = (place: string, name: string): string => `${place}${JSON.stringify(name)}`;
