import { type ColumnType, type GraphProperty } from '../graph-schema';

/** The type of a value as far as it is known before the query runs, ignoring null. */
export type ValueType =
  /** `most`: the greatest absolute value; omitted: any of 64 bits. */
  | { readonly kind: 'integer'; readonly most?: number }
  /** `isMixed`: in some rows it is an integer. */
  | { readonly kind: 'float'; readonly isMixed?: boolean }
  | { readonly kind: 'text' | 'boolean' | 'path' | 'null' | 'unknown' }
  /** `name`: the property type, as DATE or TIMESTAMP. */
  | { readonly kind: 'other'; readonly name: string }
  /** `isNested`: of a stored value with parts that are not scalars of a list, which an engine may keep as JSON text. */
  | { readonly kind: 'list'; readonly item: ValueType; readonly isNested?: boolean }
  /** `fields`: omitted if they are not known. */
  | { readonly kind: 'map'; readonly isNested?: boolean; readonly fields?: ReadonlyMap<string, ValueType> }
  /** The labels or edge types that it can have. */
  | { readonly kind: 'node' | 'relationship'; readonly tables: readonly string[] };

export const UNKNOWN: ValueType = { kind: 'unknown' };

/** The absolute values of integers are below it, but for one. */
export const INTEGER_LIMIT = 2 ** 63;

/** The type of integers whose absolute values are at most this. */
export const integerUpTo = (most: number): ValueType =>
  most < INTEGER_LIMIT ? { kind: 'integer', most } : { kind: 'integer' };

/** The type of a constant; from 2^53 on a float may be less than the integer, and the next float is not. */
export const constantInteger = (value: string): ValueType => {
  const most = Math.abs(Number(value));
  return integerUpTo(Number.isSafeInteger(most) ? most : most * (1 + Number.EPSILON));
};

/** More rows than a graph in memory has. */
export const MOST_ROWS = 2 ** 31;

/** The greatest absolute value of a type of integers. */
export const mostOf = (type: ValueType): number => (type.kind === 'integer' ? type.most : null) ?? INTEGER_LIMIT;

/** One of several property types that an engine may store as text, such as STRING and DATE. */
export const SEVERAL_TEXTS: ValueType = { kind: 'unknown' };

/** The type of a stored value. */
export const storedType = (type: ColumnType): ValueType => {
  if (type.kind === 'scalar') return scalarType(type.name);
  if (type.kind !== 'list') return { kind: 'map', isNested: true };
  const item = storedType(type.item);
  return type.item.kind === 'scalar' ? { kind: 'list', item } : { kind: 'list', item, isNested: true };
};

/** The type of a property, with the integers that it holds. */
export const propertyType = ({ type, holds }: GraphProperty): ValueType => {
  const stored = storedType(type);
  if (stored.kind !== 'integer' || holds?.includes('great integer') === true) return stored;
  return integerUpTo(holds?.includes('large integer') === true ? 2 ** 53 : 2 ** 31);
};

/** Whether an engine may keep the value as JSON text. */
export const isNested = (type: ValueType): boolean =>
  (type.kind === 'map' || type.kind === 'list') && type.isNested === true;

/** The type with this name in an answer or a mapping. */
export const scalarType = (name: string): ValueType => {
  if (/^INT\d+$/.test(name)) return { kind: 'integer' };
  if (name === 'DOUBLE' || name === 'FLOAT') return { kind: 'float' };
  if (name === 'BOOL') return { kind: 'boolean' };
  return name === 'STRING' ? { kind: 'text' } : { kind: 'other', name };
};

/** The type of a parameter's value; many integers have the same one. */
export const jsonType = (value: unknown): ValueType => {
  if (value == null) return { kind: 'null' };
  if (typeof value === 'bigint') {
    const size = Math.abs(Number(value));
    return integerUpTo([2 ** 31 - 1, 2 ** 53].find((most) => size <= most) ?? INTEGER_LIMIT);
  }
  if (typeof value === 'number') return { kind: 'float' };
  if (Array.isArray(value)) return { kind: 'list', item: value.map(jsonType).reduce(common, { kind: 'null' }) };
  if (typeof value === 'object') return mapOf(Object.entries(value).map(([name, field]) => [name, jsonType(field)]));
  return { kind: typeof value === 'string' ? 'text' : 'boolean' };
};

/** The type of maps with fields of these types. */
export const mapOf = (fields: readonly (readonly [name: string, type: ValueType])[]): ValueType => ({
  kind: 'map',
  fields: new Map(fields),
});

/** The type of a field of a map; null if the map does not have it. */
export const fieldOf = (type: ValueType, name: string): ValueType =>
  type.kind !== 'map' || type.fields === undefined ? UNKNOWN : (type.fields.get(name) ?? { kind: 'null' });

/** The common type of values of two types. */
export const common = (a: ValueType, b: ValueType): ValueType => {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a === SEVERAL_TEXTS || b === SEVERAL_TEXTS) return SEVERAL_TEXTS;
  const nested = isNested(a) || isNested(b) ? { isNested: true } : {};
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', item: common(a.item, b.item), ...nested };
  if (a.kind === 'map' && b.kind === 'map') {
    if (a.fields === undefined || b.fields === undefined) return { kind: 'map', ...nested };
    const names = [...new Set([...a.fields.keys(), ...b.fields.keys()])];
    return mapOf(names.map((name) => [name, common(fieldOf(a, name), fieldOf(b, name))]));
  }
  if ((a.kind === 'node' || a.kind === 'relationship') && a.kind === b.kind)
    return { kind: a.kind, tables: [...new Set([...a.tables, ...b.tables])] };
  if (a.kind === 'other' && b.kind === 'other') return a.name === b.name ? a : SEVERAL_TEXTS;
  if (a.kind === 'integer' && b.kind === 'integer') return integerUpTo(Math.max(mostOf(a), mostOf(b)));
  if (isNumber(a) && isNumber(b)) return isFloat(a) && isFloat(b) ? a : { kind: 'float', isMixed: true };
  if (a.kind === b.kind) return a;
  return isStoredAsText(a) && isStoredAsText(b) ? SEVERAL_TEXTS : UNKNOWN;
};

/** The type of the items of a list, and of the lists in it; another type remains. */
export const itemType = (type: ValueType): ValueType => (type.kind === 'list' ? itemType(type.item) : type);

const isStoredAsText = ({ kind }: ValueType): boolean => kind === 'text' || kind === 'other' || kind === 'map';

const isNumber = ({ kind }: ValueType): boolean => kind === 'integer' || kind === 'float';

/** Whether it is a float in each row. */
export const isFloat = (type: ValueType): boolean => type.kind === 'float' && type.isMixed !== true;

/** Whether it may be an integer in a row, although it does not have this type. */
export const mayBeInteger = (type: ValueType): boolean =>
  (type.kind === 'float' && type.isMixed === true) || (type.kind === 'unknown' && type !== SEVERAL_TEXTS);

/** The type of the result of a binary operator. */
export const operated = (operator: string, left: ValueType, right: ValueType): ValueType => {
  if (/[A-Z=]/.test(operator)) return { kind: 'boolean' };
  if (operator === '^') return { kind: 'float' };
  if (operator === '+') {
    if (left.kind === 'list' || right.kind === 'list') {
      return {
        kind: 'list',
        item: common(left.kind === 'list' ? left.item : left, right.kind === 'list' ? right.item : right),
      };
    }
    if (left.kind === 'text' || right.kind === 'text') return { kind: 'text' };
  }
  if (left.kind === 'integer' && right.kind === 'integer') return integerUpTo(mostOfResult(operator, left, right));
  if (isNumber(left) && isNumber(right))
    return isFloat(left) || isFloat(right) ? { kind: 'float' } : common(left, right);
  return left.kind === 'other' && operator !== '-' ? left : UNKNOWN;
};

/** The name of the type of a stored date or time; null for any other. */
export const storedTime = (type: ValueType): 'DATE' | 'TIMESTAMP' | null =>
  type.kind === 'other' && (type.name === 'DATE' || type.name === 'TIMESTAMP') ? type.name : null;

/** The greatest absolute value of the result of an operator between integers, which may not have 64 bits. */
export const mostOfResult = (operator: string, left: ValueType, right: ValueType): number => {
  const [a, b] = [mostOf(left), mostOf(right)];
  if (operator === '+' || operator === '-') return a + b;
  return operator === '*' ? a * b : a;
};
