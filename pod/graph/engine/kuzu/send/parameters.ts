import { chain, type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../../query/analyse-query';
import { positionAt } from '../../query/cypher-tokens';
import { isText, type Literal, literalWriter, parameterLiterals } from '../../query/literal';
import { refused, type StatementFailure } from '../binding/kuzu-error';
import { quoteString } from '../binding/kuzu-type';
import { type TextEdit } from '../../query/text-edits';
import { type PlacedToken } from '../../query/word-roles';

/** Each item of a list or map that is written out takes some 65 KB of the engine's memory, counted nowhere. */
const MAX_WRITTEN_ITEMS = 1_000;

/** The items of lists, maps and calls in a text. */
export interface WrittenItems {
  readonly count: number;
  /** Offset of the first one too many. */
  readonly excessAt: number | null;
}

/** Each begins after the bracket of a list or map, or after a comma between brackets. */
export const writtenItems = (tokens: readonly PlacedToken[]): WrittenItems => {
  const before = tokens.filter(({ kind, text, depth }, index) => {
    if (kind !== 'symbol') return false;
    if (text === ',') return depth > 0;
    return text === '[' ? tokens[index + 1]?.text !== ']' : text === '{' && tokens[index + 1]?.text !== '}';
  });
  return { count: before.length, excessAt: before[MAX_WRITTEN_ITEMS]?.end ?? null };
};

/** What the binding hands to the engine. */
type EngineValue = string | number | boolean | (string | number | boolean | null)[];

/** Values beside the text, by the names of their parameters. */
export type EngineParameters = Readonly<Record<string, EngineValue>>;

/** How the parameters of a query go to the engine. */
export interface SentParameters {
  readonly edits: readonly TextEdit[];
  readonly beside: EngineParameters;
  /** The text has, or may have, a number that is no whole one because of them. */
  readonly addFractions: boolean;
}

/**
 * Each parameter goes beside the text where the binding carries its value unchanged, and is written into the text where
 * it does not. `writeAll`: the engine cannot compile the text without the values. Refuses what is missing, what cannot be
 * written, and what is too much to be written.
 */
export const sentParameters = (
  { text, tokens, parameters: names }: AnalysedQuery,
  inText: WrittenItems,
  parameters: Readonly<Record<string, unknown>>,
  writeAll: boolean,
): Either<StatementFailure, SentParameters> => {
  if (inText.excessAt !== null) return left(refused(TOO_MANY_ITEMS, positionAt(text, inText.excessAt)));
  const beside = new Map<string, EngineValue>();
  for (const name of names) {
    const value = writeAll || !Object.hasOwn(parameters, name) ? null : boundValue(parameters[name]);
    if (value !== null) beside.set(name, value);
  }
  const written = names.filter((name) => !beside.has(name));
  const literals = parameterLiterals(written, parameters, literalOf);
  if (isLeft(literals)) return left(refused(literals.left));
  const places = tokens.filter(({ kind, text }) => kind === 'parameter' && literals.right.has(nameOf(text)));
  const items = places.map(({ text }) => writtenItemsOf(parameters[nameOf(text)]));
  if (items.reduce((sum, count) => sum + count, inText.count) > MAX_WRITTEN_ITEMS) {
    return left(refused(tooLong(nameOf(places[items.indexOf(Math.max(...items))]?.text ?? ''))));
  }
  const edits = places.map(({ text, start, end }) => ({ start, end, words: literals.right.get(nameOf(text)) ?? text }));
  return right({
    edits,
    beside: Object.fromEntries(beside),
    addFractions: edits.some(({ words }) => FRACTION.test(words)),
  });
};

/** A number in a literal that is, or may be, no whole one; also found inside strings. */
const FRACTION = /\d[.e]|DOUBLE/;

/** The engine does not quote the names of fields where it tells the type of a map. */
const FIELD_NAME = /^[^\s(),[\]]+( [^\s(),[\]]+)*$/;

const nameOf = (parameter: string): string => parameter.slice(1);

const TOO_MANY_ITEMS =
  `A query can have ${MAX_WRITTEN_ITEMS} items of lists, maps and calls; this is one more. ` +
  'Send a long list as a parameter.';

const tooLong = (name: string): string =>
  `Parameter ${name}: its items would have to be written into the query, which takes ${MAX_WRITTEN_ITEMS} items of lists ` +
  'and maps in all. Of a flat list of numbers, of booleans, or of texts of which the first is not null, any number can be ' +
  'sent; for items of texts that an aggregate takes, write CAST(item AS STRING).';

const literalOf = (value: unknown): Literal => {
  const cast = Array.isArray(value) ? castOfList(value) : null;
  return cast === null ? chain(cypherLiteral)(alignedMaps(value)) : right(cast);
};

const writtenItemsOf = (value: unknown): number =>
  Array.isArray(value) && castOfList(value) !== null ? 0 : itemsOf(value);

const number = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  if (isRounded(value)) {
    return left(
      'JSON readers round integers beyond 2^53; send it as a string and write CAST($name AS INT64) in the query.',
    );
  }
  const text = numberText(value);
  return right(text.startsWith('-') ? `(${text})` : text);
};

const cypherLiteral = literalWriter({
  constant: (value) => String(value).toUpperCase(),
  quote: quoteString,
  number,
  entry: (key, literal) =>
    isText(key) && FIELD_NAME.test(key)
      ? right(`${quoteString(key)}: ${literal}`)
      : left(`the engine has no map key ${JSON.stringify(key)}.`),
  emptyObject: left('the engine has no empty object; leave the field out.'),
});

/**
 * A JSON value as the binding can carry it beside a text, or null where it would not come out as it was sent: it makes
 * null of `[]`, gives all items of a list the type of the first, which must not be null, and rounds integers.
 */
const boundValue = (value: unknown): EngineValue | null => {
  if (!Array.isArray(value)) return isPlainText(value) || isBoolean(value) || isExact(value) ? value : null;
  if (value[0] === null) return null;
  return areAll(value, isPlainText) || areAll(value, isBoolean) || areAll(value, isInteger) ? value : null;
};

/**
 * A list of numbers or of booleans, nulls among them, as one text of any length, of which the engine makes the list while
 * it plans. Null for other lists, and for numbers that were rounded before they came here.
 */
const castOfList = (items: readonly unknown[]): string | null => {
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

const numberText = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value).replace('e+', 'e'));

/** Beyond 2^64 no integer can have been meant. */
const isRounded = (value: number): boolean =>
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

/**
 * A value whose maps in a list have their fields in the same order: the engine gives all of them the field names of the
 * last one, by their places. Maps with other fields cannot be in one list, and are refused.
 */
const alignedMaps = (value: unknown): Either<string, unknown> => {
  const fieldsByPlace = new Map<string, readonly string[]>();
  const differing: string[] = [];
  const align = (item: unknown, place: string): unknown => {
    if (Array.isArray(item)) return item.map((part) => align(part, `${place}[]`));
    if (typeof item !== 'object' || item === null) return item;
    const own = new Map<string, unknown>(Object.entries(item));
    const fields = fieldsByPlace.get(place) ?? [...own.keys()];
    fieldsByPlace.set(place, fields);
    if (fields.length !== own.size || !fields.every((field) => own.has(field))) differing.push(place);
    return Object.fromEntries(fields.map((name) => [name, align(own.get(name), `${place}${JSON.stringify(name)}`)]));
  };
  const aligned = align(value, '');
  if (differing.length === 0) return right(aligned);
  return left('all maps in a list need the same fields; give those that miss one a value.');
};

/** How many items a value has in all its lists and maps. */
export const itemsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + 1 + itemsOf(item), 0)
    : 0;
