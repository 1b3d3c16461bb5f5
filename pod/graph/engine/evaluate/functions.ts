import { equal } from './comparison';
import { fail, unsupported } from './evaluation-fault';
import { integer, textOf } from './operators';
import { GraphNode, GraphPath, GraphRelationship, isList, isMap, isNumber, kindOf, type Value } from './values';

/** Functions by their names in upper case. */
type FunctionTable = Readonly<Record<string, (...values: readonly Value[]) => Value>>;

/** A function that returns null if an argument is null. */
const strict =
  (apply: (...values: readonly Value[]) => Value) =>
  (...values: readonly Value[]): Value =>
    values.includes(null) ? null : apply(...values);

const wrong = (name: string, ...values: readonly Value[]): never => fail(`${name} of ${values.map(kindOf).join(', ')}`);

/** A function of values of one type; null for null. */
const of =
  <V extends Value>(isOf: (value: Value) => value is V) =>
  (name: string, apply: (value: V) => Value): FunctionTable[string] =>
    strict((value = null) => (isOf(value) ? apply(value) : wrong(name, value)));

const ofText = of((value) => typeof value === 'string');
const ofList = of(isList);
const ofNode = of((value) => value instanceof GraphNode);
const ofRelationship = of((value) => value instanceof GraphRelationship);
const ofPath = of((value) => value instanceof GraphPath);
const ofNumber = of(isNumber);

/** A count of characters. */
const lengthOf = (value: Value): number =>
  typeof value === 'bigint' && value >= 0n ? Number(value) : fail('a length that is negative or no integer');

const part = (name: string, cut: (characters: readonly string[], ...lengths: readonly number[]) => readonly string[]) =>
  strict((text = null, ...lengths) =>
    typeof text === 'string' ? cut([...text], ...lengths.map(lengthOf)).join('') : wrong(name, text),
  );

const split = (text: string, separators: readonly string[]): readonly string[] =>
  separators.reduce<readonly string[]>(
    (parts, separator) =>
      parts.flatMap((found) => (found === '' ? [found] : separator === '' ? [...found] : found.split(separator))),
    [text],
  );

const toInteger = (value: Value): Value => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? integer(BigInt(Math.trunc(value))) : null;
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value !== 'string') return wrong('toInteger', value);
  const text = value.trim();
  if (/^[-+]?\d+$/.test(text)) return integer(BigInt(text.replace('+', '')));
  return isDecimal(text) ? toInteger(Number(text)) : null;
};

const isDecimal = (text: string): boolean => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);

const toFloat = (value: Value): Value => {
  if (isNumber(value)) return Number(value);
  if (typeof value !== 'string') return wrong('toFloat', value);
  return isDecimal(value.trim()) ? Number(value) : null;
};

const toBoolean = (value: Value): Value => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value !== 'string') return wrong('toBoolean', value);
  const text = value.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
};

const MAX_CHARACTERS = 10_000_000;

const replaced = (text: string, from: string, to: string): string => {
  if (text.length * to.length > MAX_CHARACTERS) return unsupported('a text that is too long');
  return from === ''
    ? [...text].reduce((made, character) => made + character + to, to)
    : text.replaceAll(from, () => to);
};

/** Without characters at the ends of a text; white space if none are given. */
const trim = (name: string, atStart: boolean, atEnd: boolean): FunctionTable[string] =>
  strict((text = null, ...given) => {
    const [removed = null] = given;
    if (typeof text !== 'string' || (given.length > 0 && typeof removed !== 'string'))
      return wrong(name, text, ...given);
    const isKept = (character: string): boolean =>
      typeof removed === 'string' ? !removed.includes(character) : character.trim() !== '';
    const all = [...text];
    const [first, last] = [all.findIndex(isKept), all.findLastIndex(isKept)];
    return first < 0 ? '' : all.slice(atStart ? first : 0, atEnd ? last + 1 : all.length).join('');
  });

const NO_SCALAR = /(list|map|node|relationship|path|date|time|zone|timestamp|duration)$/;

/** Conversions, with the values of which their variants with OrNull make null. */
const CONVERSIONS: Readonly<Record<string, readonly [convert: (value: Value) => Value, others: RegExp]>> = {
  TOSTRING: [textOf, /(list|map|node|relationship|path)$/],
  TOINTEGER: [toInteger, NO_SCALAR],
  TOFLOAT: [toFloat, RegExp(`boolean$|${NO_SCALAR.source}`)],
  TOBOOLEAN: [toBoolean, RegExp(`float$|${NO_SCALAR.source}`)],
};

const textFunctions: FunctionTable = {
  ...Object.fromEntries(
    Object.entries(CONVERSIONS).flatMap(([name, [convert, others]]) => [
      [name, strict((value = null) => convert(value))],
      [`${name}ORNULL`, strict((value = null) => (others.test(kindOf(value)) ? null : convert(value)))],
    ]),
  ),
  TOUPPER: ofText('toUpper', (text) => text.toUpperCase()),
  TOLOWER: ofText('toLower', (text) => text.toLowerCase()),
  CHAR_LENGTH: ofText('char_length', (text) => sizeOf(text)),
  TRIM: trim('trim', true, true),
  BTRIM: trim('btrim', true, true),
  LTRIM: trim('ltrim', true, false),
  RTRIM: trim('rtrim', false, true),
  LEFT: part('left', (characters, length) => characters.slice(0, length)),
  RIGHT: part('right', (characters, length = 0) => characters.slice(Math.max(0, characters.length - length))),
  SUBSTRING: part('substring', (characters, from = 0, length = characters.length) =>
    characters.slice(from, from + length),
  ),
  REPLACE: strict((text = null, from = null, to = null) =>
    typeof text === 'string' && typeof from === 'string' && typeof to === 'string'
      ? replaced(text, from, to)
      : wrong('replace', text, from, to),
  ),
  SPLIT: strict((text = null, separator = null) => {
    const separators = isList(separator) ? separator : [separator];
    return typeof text === 'string' && separators.every((one) => typeof one === 'string')
      ? split(text, separators)
      : wrong('split', text, separator);
  }),
};

const sizeOf = (value: Value): Value => {
  if (typeof value === 'string') return BigInt([...value].length);
  return isList(value) ? BigInt(value.length) : wrong('size', value);
};

const MAX_ITEMS = 100_000n;

const range = (from: Value, to: Value, step: Value): Value => {
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || typeof step !== 'bigint')
    return wrong('range', from, to, step);
  if (step === 0n) return fail('a range with the step 0');
  if ((to - from) / step > MAX_ITEMS) return unsupported('a range that is too long');
  const items: bigint[] = [];
  for (let item = from; step > 0n ? item <= to : item >= to; item += step) items.push(item);
  return items;
};

const propertiesOf = (name: string, value: Value): ReadonlyMap<string, Value> => {
  if (isMap(value)) return value;
  return value instanceof GraphNode || value instanceof GraphRelationship ? value.properties : wrong(name, value);
};

const idOf = (name: string, value: Value): number =>
  value instanceof GraphNode || value instanceof GraphRelationship ? value.id : wrong(name, value);

/** Functions of lists, maps, nodes, relationships and paths. */
const listFunctions: FunctionTable = {
  SIZE: strict((value = null) => sizeOf(value)),
  HEAD: ofList('head', (list) => list[0] ?? null),
  LAST: ofList('last', (list) => list.at(-1) ?? null),
  TAIL: ofList('tail', (list) => list.slice(1)),
  REVERSE: strict((value = null) => {
    if (typeof value === 'string') return [...value].reverse().join('');
    return isList(value) ? [...value].reverse() : wrong('reverse', value);
  }),
  RANGE: strict((from = null, to = null, step = 1n) => range(from, to, step)),
  ISEMPTY: strict((value = null) => (isMap(value) ? value.size === 0 : sizeOf(value) === 0n)),
  COALESCE: (...values) => values.find((value) => value !== null) ?? null,
  NULLIF: (value = null, other = null) => (equal(value, other) === true ? null : value),
  EXISTS: (value = null) => (typeof value === 'boolean' ? value : value !== null),
  KEYS: strict((value = null) =>
    [...propertiesOf('keys', value)].flatMap(([key, item]) => (isMap(value) || item !== null ? [key] : [])),
  ),
  PROPERTIES: strict((value = null) => propertiesOf('properties', value)),
  LABELS: ofNode('labels', ({ labels }) => labels),
  ID: strict((value = null) => BigInt(idOf('id', value))),
  ELEMENTID: strict((value = null) => String(idOf('elementId', value))),
  TYPE: ofRelationship('type', ({ type }) => type),
  STARTNODE: ofRelationship('startNode', ({ start }) => start),
  ENDNODE: ofRelationship('endNode', ({ end }) => end),
  NODES: ofPath('nodes', ({ nodes }) => nodes),
  RELATIONSHIPS: ofPath('relationships', ({ relationships }) => relationships),
  LENGTH: ofPath('length', ({ relationships }) => BigInt(relationships.length)),
};

const ofFloat = (apply: (value: number) => number): FunctionTable[string] =>
  ofNumber('a function of floats', (value) => apply(Number(value)));

/** What the last digit of a rounded number depends on; `half`: how the removed part compares with a half. */
interface Removed {
  readonly isNegative: boolean;
  readonly isOdd: boolean;
  readonly half: -1 | 0 | 1;
}

/** Whether a number is rounded away from 0, by the names of Neo4j's modes. */
const IS_AWAY: Readonly<Record<string, (removed: Removed) => boolean>> = {
  UP: () => true,
  DOWN: () => false,
  CEILING: ({ isNegative }) => !isNegative,
  FLOOR: ({ isNegative }) => isNegative,
  HALF_UP: ({ half }) => half >= 0,
  HALF_DOWN: ({ half }) => half > 0,
  HALF_EVEN: ({ half, isOdd }) => half > 0 || (half === 0 && isOdd),
};

/** As Neo4j, rounds the decimal number that is written for a float, which is not always its exact value. */
const rounded = (value: number, digits: number, mode: string): number => {
  const isAway = IS_AWAY[mode] ?? fail(`the rounding mode ${mode}; write ${Object.keys(IS_AWAY).join(', ')}`);
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const decimal = mantissa.replace('.', '');
  const removed = decimal.length - 1 - Number(exponent) - digits;
  if (!Number.isFinite(value) || removed <= 0) return value;
  const unit = 10n ** BigInt(removed);
  const [whole, rest] = [BigInt(decimal) / unit, (BigInt(decimal) % unit) * 2n];
  const half = rest < unit ? -1 : rest > unit ? 1 : 0;
  const last = isAway({ isNegative: value < 0, isOdd: whole % 2n === 1n, half }) ? 1n : 0n;
  return Math.sign(value) * Number(`${whole + last}e${-digits}`);
};

/** Without digits and mode, halves are rounded up; otherwise the mode is HALF_UP, away from 0. */
const round = (value: Value, digits: Value, mode: Value | undefined): Value => {
  if (!isNumber(value) || (mode !== undefined && typeof mode !== 'string')) return wrong('round', value, mode ?? null);
  if (digits === 0n && mode === undefined) return Math.round(Number(value));
  return rounded(Number(value), lengthOf(digits), mode ?? 'HALF_UP');
};

/** Functions that JavaScript has by the same names. */
const OF_FLOATS = [
  'ceil',
  'floor',
  'sqrt',
  'exp',
  'log',
  'log10',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
] as const;

const numberFunctions: FunctionTable = {
  ABS: ofNumber('abs', (value) => (typeof value === 'number' ? Math.abs(value) : value < 0 ? integer(-value) : value)),
  SIGN: ofNumber('sign', (value) => (value > 0 ? 1n : value < 0 ? -1n : 0n)),
  ...Object.fromEntries(OF_FLOATS.map((name) => [name.toUpperCase(), ofFloat((value) => Math[name](value))])),
  ROUND: strict((value = null, digits = 0n, mode) => round(value, digits, mode)),
  HAVERSIN: ofFloat((value) => (1 - Math.cos(value)) / 2),
  COT: ofFloat((value) => 1 / Math.tan(value)),
  ATAN2: strict((y = null, x = null) =>
    isNumber(y) && isNumber(x) ? Math.atan2(Number(y), Number(x)) : wrong('atan2', y, x),
  ),
  DEGREES: ofFloat((value) => (value * 180) / Math.PI),
  RADIANS: ofFloat((value) => (value * Math.PI) / 180),
  ISNAN: ofNumber('isNaN', (value) => Number.isNaN(value)),
  PI: () => Math.PI,
  E: () => Math.E,
  RAND: () => Math.random(),
};

/** The functions of openCypher, without the temporal ones. */
export const functions: FunctionTable = { ...numberFunctions, ...textFunctions, ...listFunctions };
