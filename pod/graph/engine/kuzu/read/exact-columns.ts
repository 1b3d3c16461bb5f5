import { type ColumnType } from '../../graph-schema';
import { exactType, kuzuType, quoteName } from '../binding/kuzu-type';
import { type ReturnedItem } from '../query/sent-query';

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
 * The texts that add the columns of a plan after those of each RETURN. Order, grouping, DISTINCT and UNION keep their
 * meaning, because each new column is a function of an old one. Null when a column cannot be cast.
 */
export const exactColumns = (
  returns: readonly (readonly ReturnedItem[])[],
  plan: ExactPlan,
  columns: readonly ResultColumn[],
): readonly string[] | null => {
  const texts: string[] = [];
  for (const returned of returns) {
    const expressions = columnExpressions(returned, columns);
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
    texts.push(added.map((item) => `, ${item}`).join(''));
  }
  return returns.length === 0 ? null : texts;
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
  items: readonly ReturnedItem[],
  columns: readonly ResultColumn[],
): readonly string[] | null => {
  const stars = items.filter(({ isStar }) => isStar);
  if (stars.length > 1) return null;
  const starWidth = columns.length - (items.length - stars.length);
  return items.flatMap(({ expression, isStar }, index) => {
    if (!isStar) return [expression];
    const prefix = expression.slice(0, -1);
    const starred = columns.slice(index, index + starWidth);
    return starred.map(({ name }) => prefix + quoteName(name.slice(prefix.length)));
  });
};
