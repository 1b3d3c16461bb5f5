import { scalar, type ColumnType } from '../../graph-schema';
import { kuzuType, quoteName } from '../binding/kuzu-type';
import { isStar, type Projection, type ProjectionItem } from '../../query/result-shape';
import { insertion, type TextEdit } from '../../query/text-edits';

/**
 * Properties to fetch exactly, with their types. The key is the property's name, inside paths with the part it belongs
 * to: `nodes/since`, `rels/since`.
 */
export type PropertyNeeds = ReadonlyMap<string, ColumnType>;

/**
 * Which columns of a query need extra columns to be exact: the whole value cast, or single properties of the
 * nodes and relationships in it.
 */
export type ExactPlan = ReadonlyMap<number, 'whole' | PropertyNeeds>;

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export const wholeColumnName = (column: number): string => `_exact_${column}`;
export const propertyColumnName = (column: number, key: string): string => `_exact_${column}_${key}`;

export const mergePlans = (a: ExactPlan, b: ExactPlan): ExactPlan => {
  const merged = new Map(a);
  for (const [column, need] of b) {
    const known = merged.get(column);
    const both = typeof known === 'object' && need !== 'whole';
    merged.set(column, both ? new Map([...known, ...need]) : need);
  }
  return merged;
};

/**
 * Adds the columns of a plan after those of the query. Order, grouping, DISTINCT and UNION keep their meaning,
 * because each new column is a function of an old one. Null when a column cannot be cast.
 */
export const exactColumns = (
  projections: readonly Projection[],
  expressionText: (item: ProjectionItem) => string,
  plan: ExactPlan,
  columns: readonly ResultColumn[],
): readonly TextEdit[] | null => {
  const edits: TextEdit[] = [];
  for (const projection of projections) {
    const expressions = columnExpressions(projection, expressionText, columns);
    if (expressions === null) return null;
    const added: string[] = [];
    for (const [index, need] of plan) {
      const column = columns[index];
      const expression = expressions[index];
      if (column === undefined || expression === undefined) return null;
      const items = exactItems(index, column, expression, need);
      if (items === null) return null;
      added.push(...items);
    }
    edits.push(insertion(projection.itemsEnd, added.map((item) => `, ${item}`).join('')));
  }
  return projections.length === 0 ? null : edits;
};

const exactItems = (
  index: number,
  column: ResultColumn,
  expression: string,
  need: 'whole' | PropertyNeeds,
): readonly string[] | null => {
  if (need === 'whole') {
    const exact = castTarget(column.type);
    return exact === null ? null : [`CAST(${expression} AS ${exact}) AS ${wholeColumnName(index)}`];
  }
  const items: string[] = [];
  for (const [key, type] of need) {
    const exact = castTarget(type);
    const value = exact === null ? null : propertyValue(column.type, expression, key, exact);
    if (value === null) return null;
    items.push(`${value} AS ${quoteName(propertyColumnName(index, key))}`);
  }
  return items;
};

/** Null when casting changes nothing. */
const castTarget = (type: ColumnType): string | null => {
  const exact = exactType(type);
  return exact === null || kuzuType(exact) === kuzuType(type) ? null : kuzuType(exact);
};

/** One property of a node or relationship, or of every one in a list or path. */
const propertyValue = (holder: ColumnType, expression: string, key: string, exact: string): string | null => {
  if (holder.kind === 'node' || holder.kind === 'rel') return `CAST((${expression}).${quoteName(key)} AS ${exact})`;
  if (holder.kind === 'path') {
    const [part = '', property = ''] = key.split('/');
    return `CAST(properties(${part}(${expression}), '${property}') AS ${exact}[])`;
  }
  const elements = holder.kind === 'list' && (holder.item.kind === 'node' || holder.item.kind === 'rel');
  return elements ? `CAST(properties(${expression}, '${key}') AS ${exact}[])` : null;
};

/** The expression of every column; null when several stars make that ambiguous. */
const columnExpressions = (
  { items }: Projection,
  expressionText: (item: ProjectionItem) => string,
  columns: readonly ResultColumn[],
): readonly string[] | null => {
  const stars = items.filter(isStar);
  if (stars.length > 1) return null;
  const starWidth = columns.length - (items.length - stars.length);
  return items.flatMap((item, index) => {
    const text = expressionText(item);
    if (!isStar(item)) return [text];
    const prefix = text.slice(0, -1);
    const starred = columns.slice(index, index + starWidth);
    return starred.map(({ name }) => prefix + quoteName(name.slice(prefix.length)));
  });
};

/**
 * The engine's Node.js binding rounds some values: integers beyond 2^53, dates beyond the year 275760,
 * timestamps below the millisecond, intervals and decimals. As text they are exact. Doubles are the other way round: the binding is exact and the text
 * keeps six digits, so they are never cast.
 */
const ROUNDED_SOMETIMES = new Set(['INT64', 'UINT64', 'SERIAL', 'DATE']);
const ROUNDED_UNSEEN = /^(TIMESTAMP|INTERVAL$|DECIMAL)/;

/** The type to cast a value to so that nothing is rounded, or null when no cast achieves that. */
export const exactType = (type: ColumnType): ColumnType | null => {
  switch (type.kind) {
    case 'scalar':
      return ROUNDED_SOMETIMES.has(type.name) || ROUNDED_UNSEEN.test(type.name) ? scalar('STRING') : type;
    case 'list': {
      const item = exactType(type.item);
      return item === null ? null : { kind: 'list', item };
    }
    case 'map': {
      const value = exactType(type.value);
      return value === null ? null : { ...type, value };
    }
    case 'struct': {
      const types = type.fields.map((field) => exactType(field.type));
      if (types.some((fieldType) => fieldType === null)) return null;
      return {
        kind: 'struct',
        fields: type.fields.map((field, index) => ({ name: field.name, type: types[index] ?? field.type })),
      };
    }
    case 'node':
    case 'rel':
    case 'path':
      return null;
  }
};

const ALWAYS_EXACT = new Set(['STRING', 'DOUBLE', 'FLOAT', 'BOOL', 'INT32', 'INT16', 'INT8', 'DATE', 'UUID', 'BLOB']);

/** Whether the binding never rounds values of the type. */
export const isAlwaysExact = (type: ColumnType): boolean => type.kind === 'scalar' && ALWAYS_EXACT.has(type.name);

/** Whether the binding may round values of the type undetectably. */
export const mayRoundUnseen = (type: ColumnType): boolean => {
  if (type.kind === 'scalar') return ROUNDED_UNSEEN.test(type.name);
  if (type.kind === 'struct') return type.fields.some((field) => mayRoundUnseen(field.type));
  if (type.kind === 'list') return mayRoundUnseen(type.item);
  return type.kind === 'map' && mayRoundUnseen(type.value);
};
