import { chain, type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../../query/analyse-query';
import { positionAt, type PlacedToken, type TextPosition } from '../../query/cypher-tokens';
import { isText, type Literal, literalWriter, parameterLiterals } from '../../query/literal';
import { type QueryFailure } from '../../graph-engine';
import { quoteString } from '../binding/kuzu-type';
import { type TextEdit } from '../../query/text-edits';

/** Each item of a list or map in the text takes some 65 KB of the engine's memory, which it does not count. */
const MAX_WRITTEN_ITEMS = 1_000;

/**
 * What is before each item of the lists, maps and calls in a text: the bracket of a list or map, or a comma between
 * brackets.
 */
const beforeItems = (tokens: readonly PlacedToken[]): readonly PlacedToken[] =>
  tokens.filter(({ kind, text, depth }, index) => {
    if (kind !== 'symbol') return false;
    if (text === ',') return depth > 0;
    return text === '[' ? tokens[index + 1]?.text !== ']' : text === '{' && tokens[index + 1]?.text !== '}';
  });

/** What the binding passes to the engine. */
type EngineValue = string | number | boolean | (string | number | boolean | null)[];

/** Values that are bound, by the names of their parameters. */
export type EngineParameters = Readonly<Record<string, EngineValue>>;

/** How the parameters of a query are sent to the engine. */
export interface SentParameters {
  readonly edits: readonly TextEdit[];
  readonly bound: EngineParameters;
  /** They put a fraction into the text, or may have. */
  readonly addFractions: boolean;
}

/**
 * Binds each parameter whose value the binding passes unchanged, and writes the others into the text. `writeAll`: the
 * engine cannot compile the text without the values. Refuses missing parameters, values that cannot be written, and too
 * many items.
 */
export const sentParameters = (
  { text, tokens, parameters: names }: AnalysedQuery,
  parameters: Readonly<Record<string, unknown>>,
  writeAll: boolean,
): Either<QueryFailure, SentParameters> => {
  const inText = beforeItems(tokens);
  const excess = inText[MAX_WRITTEN_ITEMS];
  if (excess !== undefined) return refused(TOO_MANY_ITEMS, positionAt(text, excess.end));
  const bound = new Map<string, EngineValue>();
  for (const name of names) {
    const value = writeAll || !Object.hasOwn(parameters, name) ? null : boundValue(parameters[name]);
    if (value !== null) bound.set(name, value);
  }
  const written = names.filter((name) => !bound.has(name));
  const literals = parameterLiterals(written, parameters, literalOf);
  if (isLeft(literals)) return refused(literals.left);
  const places = tokens.filter(({ kind, text }) => kind === 'parameter' && literals.right.has(nameOf(text)));
  const items = places.map(({ text }) => writtenItemsOf(parameters[nameOf(text)]));
  if (items.reduce((sum, count) => sum + count, inText.length) > MAX_WRITTEN_ITEMS) {
    return refused(tooLong(nameOf(places[items.indexOf(Math.max(...items))]?.text ?? '')));
  }
  const edits = places.map(({ text, start, end }) => ({ start, end, words: literals.right.get(nameOf(text)) ?? text }));
  return right({
    edits,
    bound: Object.fromEntries(bound),
    addFractions: edits.some(({ words }) => FRACTION.test(words)),
  });
};

const refused = (message: string, position: TextPosition | null = null): Either<QueryFailure, never> =>
  left({ kind: 'rejected', message, position });

/** A number in a literal that is, or may be, a fraction; also found inside strings. */
const FRACTION = /\d[.e]|DOUBLE/;

/** The engine does not quote the names of fields when it reports the type of a map. */
const FIELD_NAME = /^[^\s(),[\]]+( [^\s(),[\]]+)*$/;

const nameOf = (parameter: string): string => parameter.slice(1);

const TOO_MANY_ITEMS =
  `A query can have ${MAX_WRITTEN_ITEMS} items of lists, maps and calls; this is one more. ` +
  'Send a long list as a parameter.';

const tooLong = (name: string): string =>
  `Parameter ${name} has too many items: lists and maps of a query can have ${MAX_WRITTEN_ITEMS} items in all. ` +
  'Flat lists of numbers, booleans or strings (first item not null) have no limit; if an aggregate uses items that are ' +
  'strings, write CAST(item AS STRING).';

const literalOf = (value: unknown): Literal => {
  const cast = Array.isArray(value) ? castOfList(value) : null;
  return cast === null ? chain(cypherLiteral)(alignedMaps(value)) : right(cast);
};

const writtenItemsOf = (value: unknown): number =>
  Array.isArray(value) && castOfList(value) !== null ? 0 : itemsOf(value);

const number = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('not a finite number.');
  if (isRounded(value)) {
    return left(
      'integers beyond 2^53 are rounded by JSON readers; send it as a string and write CAST($name AS INT64) in the query.',
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
      : left(`${JSON.stringify(key)} cannot be a map key in this graph database.`),
  emptyObject: left('empty objects are not possible in this graph database; omit the field.'),
});

/**
 * A JSON value that the binding passes exactly, or null: it makes null of `[]`, gives all items of a list the type of the
 * first, which must not be null, and rounds integers.
 */
const boundValue = (value: unknown): EngineValue | null => {
  if (!Array.isArray(value)) return isPlainText(value) || isBoolean(value) || isExact(value) ? value : null;
  if (value[0] === null) return null;
  return areAll(value, isPlainText) || areAll(value, isBoolean) || areAll(value, isInteger) ? value : null;
};

/**
 * A list of numbers or of booleans, with nulls, as one string of any length, which the engine converts while it plans.
 * Null for other lists, and for numbers that were rounded before.
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

/** A number beyond 2^64 cannot be meant as an integer. */
const isRounded = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;

const isPlainText = (value: unknown): value is string => typeof value === 'string' && isText(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
/** The binding makes 0 of -0. */
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value) && !Object.is(value, -0);
const isExact = (value: unknown): value is number => isInteger(value) || (isNumber(value) && !Number.isInteger(value));
const isNumber = (value: unknown): value is number => Number.isFinite(value) && !isRounded(Number(value));

/** At least one such value; all others are null. */
const areAll = <A>(items: readonly unknown[], is: (item: unknown) => item is A): items is (A | null)[] =>
  items.some(is) && items.every((item) => item === null || is(item));

/**
 * A value whose maps in a list have their fields in the same order: the engine gives all of them the field names of the
 * last one, by position. Maps with other fields cannot be in one list, and are refused.
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
  return left('all maps in a list need the same fields; add the missing ones with a value.');
};

/** How many items a value has in all its lists and maps. */
const itemsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + 1 + itemsOf(item), 0)
    : 0;
