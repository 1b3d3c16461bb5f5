import { call, cast, literal, name, property, variable } from '../../cypher/build';
import {
  type Clause,
  type Expression,
  type ProjectionClause,
  type ProjectionItem,
  type Query,
} from '../../cypher/tree';
import { type ColumnType } from '../../graph-schema';
import { type ResultColumn, type ExactColumns, wholeColumnName, propertyColumnName } from '../binding/exact-plan';
import { exactType, kuzuType } from '../binding/kuzu-type';

/**
 * A query with the columns of a plan after those of each RETURN. Order, grouping, DISTINCT and UNION keep their
 * meaning, because each new column is a function of an old one. Null if a column cannot be cast.
 */
export const withExactColumns = (query: Query, exact: ExactColumns): Query | null => {
  const parts: (readonly Clause[])[] = [];
  for (const clauses of query.parts) {
    const last = clauses.at(-1);
    const items = last?.kind === 'return' ? exactItems(last, exact) : null;
    if (last?.kind !== 'return' || items === null) return null;
    parts.push([...clauses.slice(0, -1), { ...last, items: [...last.items, ...items] }]);
  }
  return { ...query, parts };
};

const exactItems = (returned: ProjectionClause, { plan, columns }: ExactColumns): readonly ProjectionItem[] | null => {
  const values = columnValues(returned.items, columns);
  const items: ProjectionItem[] = [];
  for (const [index, need] of plan) {
    const [column, value] = [columns[index], values?.[index]];
    if (column === undefined || value === undefined) return null;
    const needs = need === 'whole' ? ([[null, column.type]] as const) : need;
    for (const [key, type] of needs) {
      const exact = castTarget(type);
      const added =
        exact === null ? null : key === null ? cast(value, exact) : propertyValue(column.type, value, key, exact);
      if (added === null) return null;
      const title = key === null ? wholeColumnName(index) : propertyColumnName(index, key);
      items.push({ value: added, alias: name(title, value), start: value.start, end: value.end });
    }
  }
  return items;
};

/** Null if a cast changes nothing. */
const castTarget = (type: ColumnType): string | null => {
  const exact = exactType(type);
  return exact === null || kuzuType(exact) === kuzuType(type) ? null : kuzuType(exact);
};

/** One property of a node or relationship, or of each one in a list or path. */
const propertyValue = (holder: ColumnType, value: Expression, key: string, exact: string): Expression | null => {
  const ofEach = (entities: Expression, called: string): Expression =>
    cast(call('properties', [entities, literal(called, value)], value), `${exact}[]`);
  if (holder.kind === 'node' || holder.kind === 'rel') {
    return cast(property(value, key), exact);
  }
  if (holder.kind === 'path') {
    const [part = '', called = ''] = key.split('/');
    return ofEach(call(part, [value], value), called);
  }
  const hasEntities = holder.kind === 'list' && (holder.item.kind === 'node' || holder.item.kind === 'rel');
  return hasEntities ? ofEach(value, key) : null;
};

/** The value of every column; null if several stars make it ambiguous. */
const columnValues = (
  items: readonly ProjectionItem[],
  columns: readonly ResultColumn[],
): readonly Expression[] | null => {
  const stars = items.filter(({ value }) => value.kind === 'star').length;
  if (stars > 1) return null;
  const starWidth = columns.length - (items.length - stars);
  return items.flatMap(({ value }, index) => {
    if (value.kind !== 'star') return [value];
    const { of } = value;
    return columns.slice(index, index + starWidth).map((column): Expression => {
      if (of === null) return variable(column.name, value);
      return property(variable(of.text, of), column.name.slice(of.text.length + 1), value);
    });
  });
};
