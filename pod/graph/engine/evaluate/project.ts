import { aggregatesIn } from '../cypher/aggregates';
import { shape } from '../cypher/shape';
import { type Expression, type ProjectionClause, type ProjectionItem, type SortItem } from '../cypher/tree';
import { keyOf, order } from './comparison';
import { type Context, type Row, type Table, truthOf, valueOf } from './context';
import { fail } from './evaluation-fault';
import { type Value } from './values';

interface Column {
  readonly name: string;
  readonly value: Expression;
}

/** A row of the result, with further values that ORDER BY and WHERE can use. */
interface Projected {
  readonly result: Row;
  readonly scope: Row;
  readonly group: readonly Row[] | null;
}

/** The rows of a WITH or RETURN. */
export const project = (clause: ProjectionClause, rows: readonly Row[], context: Context): Table => {
  const columns = clause.items.map((item) => columnOf(item, context.text));
  let found = groupsOf(columns, rows, context).map(({ row, group }): Projected => {
    const result = new Map(columns.map(({ name, value }) => [name, context.evaluate(value, row, context, group)]));
    return { result, scope: new Map([...row, ...result]), group };
  });
  if (clause.distinct)
    found = [...new Map(found.map((each) => [rowKey(each.result), each] as const).reverse()).values()].reverse();
  found = sorted(found, clause.orderBy, columns, context);
  const skipped = countOf(clause.skip, context) ?? 0;
  found = found.slice(skipped, skipped + (countOf(clause.limit, context) ?? found.length));
  const { where } = clause;
  if (where !== null) found = found.filter(({ scope }) => truthOf(where, scope, context) === true);
  return { columns: columns.map(({ name }) => name), rows: found.map(({ result }) => result) };
};

/** Key of a row: equal for rows that DISTINCT and UNION treat as equal. */
export const rowKey = (row: Row): string => [...row].map(([name, value]) => `${name}:${keyOf(value)}`).join();

const columnOf = ({ value, alias, start, end }: ProjectionItem, text: string): Column => ({
  name: alias?.text ?? (value.kind === 'variable' ? value.name : text.slice(start, end)),
  value,
});

interface Group {
  /** Any row of the group. */
  readonly row: Row;
  /** Null if rows are not combined. */
  readonly group: readonly Row[] | null;
}

const groupsOf = (columns: readonly Column[], rows: readonly Row[], context: Context): readonly Group[] => {
  const keys = columns.filter(({ value }) => aggregatesIn(value).length === 0);
  if (keys.length === columns.length) return rows.map((row) => ({ row, group: null }));
  const groups = new Map<string, Row[]>(keys.length === 0 ? [['', []]] : []);
  for (const row of rows) {
    const key = keys.map(({ value }) => keyOf(valueOf(value, row, context))).join();
    const before = groups.get(key);
    if (before === undefined) groups.set(key, [row]);
    else before.push(row);
  }
  return [...groups.values()].map((group) => ({ row: group[0] ?? new Map<string, Value>(), group }));
};

const sorted = (
  found: readonly Projected[],
  orderBy: readonly SortItem[],
  columns: readonly Column[],
  context: Context,
): Projected[] => {
  const sortValue = ({ value }: SortItem, { result, scope, group }: Projected): Value => {
    const column = columns.find((each) => shape(each.value) === shape(value) && value.kind !== 'variable');
    return column === undefined ? context.evaluate(value, scope, context, group) : (result.get(column.name) ?? null);
  };
  const keyed = found.map((each) => ({ each, keys: orderBy.map((item) => sortValue(item, each)) }));
  return keyed
    .sort((a, b) => {
      for (const [at, { descending }] of orderBy.entries()) {
        const difference = order(a.keys[at] ?? null, b.keys[at] ?? null);
        if (difference !== 0) return descending ? -difference : difference;
      }
      return 0;
    })
    .map(({ each }) => each);
};

const countOf = (expression: Expression | null, context: Context): number | null => {
  if (expression === null) return null;
  const value = valueOf(expression, new Map(), context);
  return typeof value === 'bigint' && value >= 0n ? Number(value) : fail('SKIP or LIMIT without an integer');
};
