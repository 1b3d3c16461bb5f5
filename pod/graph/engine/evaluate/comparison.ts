import { type ComparisonOperator } from '../cypher/tree';
import { unsupported } from './evaluation-fault';
import { Duration } from './temporal/duration';
import { constantMoment } from './temporal/make-moment';
import { areOrdered, compareMoments, Moment } from './temporal/moment';
import { GraphNode, GraphPath, GraphRelationship, isList, isMap, isNumber, type Truth, type Value } from './values';

/** Conjunction: false if one is false, otherwise unknown if one is unknown. */
export const allOf = (truths: Iterable<Truth>): Truth => {
  let result: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (truth === null) result = null;
  }
  return result;
};

export const negated = (truth: Truth): Truth => (truth === null ? null : !truth);

/** `a = b`. */
export const equal = (a: Value, b: Value): Truth => {
  if (a === null || b === null) return null;
  if (isNumber(a) && isNumber(b)) return a == b;
  if (isList(a) && isList(b)) return a.length === b.length && allOf(a.map((item, at) => equal(item, b[at] ?? null)));
  if (isMap(a) && isMap(b)) {
    if (a.size !== b.size || [...a.keys()].some((key) => !b.has(key))) return false;
    return allOf([...a].map(([key, item]) => equal(item, b.get(key) ?? null)));
  }
  if (a instanceof GraphPath && b instanceof GraphPath) return keyOf(a) === keyOf(b);
  if (a instanceof Moment && b instanceof Moment) return areOrdered(a, b) && compareMoments(a, b) === 0;
  if (a instanceof Duration && b instanceof Duration) return keyOf(a) === keyOf(b);
  if (isRead(a) && typeof b === 'string') return MAY_BE_TIME.test(b) && againstText(a, b, (order) => order === 0);
  if (typeof a === 'string' && isRead(b)) return equal(b, a);
  return a === b;
};

/** A value that an engine returned. */
type Stored = Moment & { readonly stored: string };

const isRead = (value: Value): value is Stored => value instanceof Moment && value.stored !== null;

const MAY_BE_TIME = /^\s*[-+]?\d/;

/** `graphdb_a` compares a time with a text by time, `graphdb_b` by text; unsupported where that differs. */
const againstText = (time: Stored, text: string, holds: (order: number) => boolean): boolean => {
  const read = constantMoment(time.type === 'DATE' ? 'DATE' : 'LOCALDATETIME', text);
  const byText = holds(compareTexts(time.stored, text));
  if (read === null || holds(compareMoments(time, read)) !== byText) return unsupported(`a time beside ${text}`);
  return byText;
};

/** A comparison of two values; unknown if their types are not ordered. */
export const compared = (a: Value, operator: ComparisonOperator, b: Value): Truth => {
  if (operator === '=') return equal(a, b);
  if (operator === '<>') return negated(equal(a, b));
  if (isList(a) && isList(b)) return comparedLists(a, operator, b);
  if (isNumber(a) && isNumber(b)) return inOrder(a, operator, b);
  if (typeof a === 'string' && typeof b === 'string') return inOrder(compareTexts(a, b), operator, 0);
  if (a instanceof Moment && b instanceof Moment && areOrdered(a, b)) return inOrder(compareMoments(a, b), operator, 0);
  if (isRead(a) && typeof b === 'string') return againstText(a, b, (order) => inOrder(order, operator, 0));
  if (typeof a === 'string' && isRead(b)) return againstText(b, a, (order) => inOrder(0, operator, order));
  return typeof a === 'boolean' && typeof b === 'boolean' ? inOrder(Number(a), operator, Number(b)) : null;
};

type OrderOperator = Exclude<ComparisonOperator, '=' | '<>'>;

const inOrder = (a: bigint | number, operator: OrderOperator, b: bigint | number): boolean => {
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
};

const comparedLists = (a: readonly Value[], operator: OrderOperator, b: readonly Value[]): Truth => {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left = null, right = null] = [a[at], b[at]];
    const same = equal(left, right);
    if (same === null) return null;
    if (!same) return compared(left, operator, right);
  }
  return inOrder(a.length, operator, b.length);
};

/** By code points. */
const compareTexts = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

const RANKS: readonly ((value: Value) => boolean)[] = [
  isMap,
  (value) => value instanceof GraphNode,
  (value) => value instanceof GraphRelationship,
  isList,
  (value) => value instanceof GraphPath,
  ...[/^DATETIME$/, /^(LOCALDATETIME|TIMESTAMP)$/, /^DATE$/, /^TIME$/, /^LOCALTIME$/].map(
    (types) => (value: Value) => value instanceof Moment && types.test(value.type),
  ),
  (value) => value instanceof Duration,
  (value) => typeof value === 'string',
  (value) => typeof value === 'boolean',
  (value) => isNumber(value) && !Number.isNaN(value),
  (value) => Number.isNaN(value),
];

const rankOf = (value: Value): number => {
  const rank = RANKS.findIndex((matches) => matches(value));
  return rank < 0 ? RANKS.length : rank;
};

/** The order of ORDER BY, min and max, which is total. Null is the greatest. */
export const order = (a: Value, b: Value): number => {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (isList(a) && isList(b)) return orderLists(a, b);
  if (isMap(a) && isMap(b)) return orderLists(mapParts(a), mapParts(b));
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof GraphPath && b instanceof GraphPath) return orderLists(a.parts, b.parts);
  if (a instanceof Moment && b instanceof Moment) return compareMoments(a, b);
  if (a instanceof Duration && b instanceof Duration) return Number(a.averageLength - b.averageLength);
  return idOf(a) - idOf(b);
};

/** By these, one by one, maps have their order. */
const mapParts = (map: ReadonlyMap<string, Value>): readonly Value[] => {
  const keys = [...map.keys()].sort();
  return [map.size, ...keys, ...keys.map((key) => map.get(key) ?? null)];
};

const idOf = (value: Value): number =>
  value instanceof GraphNode || value instanceof GraphRelationship ? value.id : 0;

const orderLists = (a: readonly Value[], b: readonly Value[]): number => {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const found = order(a[at] ?? null, b[at] ?? null);
    if (found !== 0) return found;
  }
  return a.length - b.length;
};

/** The key of a value in DISTINCT and groups, where equal values are null and null, NaN and NaN, 1 and 1.0. */
export const keyOf = (value: Value): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(BigInt(value)) : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(keyOf).join()}]`;
  if (isMap(value)) {
    const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`);
    return `{${entries.sort().join()}}`;
  }
  if (value instanceof Moment || value instanceof Duration) return String(value);
  if (value instanceof GraphNode) return `(${value.id})`;
  return value instanceof GraphPath ? `<${value.parts.map(keyOf).join('')}>` : `-${value.id}-`;
};

/** The items with different keys: of those with the same key the first. */
export const uniqueBy = <A>(items: readonly A[], keyOfItem: (item: A) => string): A[] => {
  const found = new Map<string, A>();
  for (const item of items) {
    const key = keyOfItem(item);
    if (!found.has(key)) found.set(key, item);
  }
  return [...found.values()];
};
