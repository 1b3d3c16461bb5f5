import { Temporal } from 'temporal-polyfill';
import { aggregatesIn } from '../cypher/aggregates';
import { titleOf } from '../cypher/column-titles';
import { shape } from '../cypher/shape';
import {
  type Clause,
  type Expression,
  type ProjectionClause,
  type Query,
  type SortItem,
  type SubqueryClause,
} from '../cypher/tree';
import { keyOf, order, uniqueBy } from './comparison';
import { type Context, type Row, stepCounter, type Table, truthOf, valueOf } from './context';
import { evaluateExpression } from './evaluate-expression';
import { fail, unsupported } from './evaluation-fault';
import { isList, type Value, type ValueMap } from './values';

/** The context of an evaluation; a fault after `maxSteps`. */
export const contextOf = (text: string, parameters: ValueMap, maxSteps: number): Context => ({
  text,
  parameters,
  now: Temporal.Now.instant(),
  step: stepCounter(maxSteps),
  evaluate: evaluateExpression,
  match: () => unsupported('a MATCH'),
  pattern: () => unsupported('a pattern'),
  query: tableOf,
});

/** The rows of a query; `row`: the values from outside. */
export const tableOf = ({ parts, unions }: Query, row: Row, context: Context): Table =>
  united(
    parts.map((clauses) => afterClauses(clauses, [row], context)),
    unions,
  );

/** The rows of the parts of a UNION; its columns are those of the first part. */
export const united = (tables: readonly Table[], unions: Query['unions']): Table =>
  tables.reduce(({ columns, rows }, next, at) => {
    const same = next.rows.map((row): Row => new Map(columns.map((column) => [column, row.get(column) ?? null])));
    const all = [...rows, ...same];
    const isAll = unions[at - 1] === 'UNION ALL';
    return { columns, rows: isAll ? all : uniqueBy(all, rowKey) };
  });

/** The rows after a sequence of clauses. */
export const afterClauses = (clauses: readonly Clause[], before: readonly Row[], context: Context): Table => {
  let table: Table = { columns: [], rows: before };
  for (const clause of clauses) table = afterClause(clause, table.rows, context);
  return table;
};

const afterClause = (clause: Clause, rows: readonly Row[], context: Context): Table => {
  switch (clause.kind) {
    case 'match':
      return { columns: [], rows: rows.flatMap((row) => context.match(clause, row, context)) };
    case 'unwind': {
      const itemsOf = (row: Row): readonly Value[] => {
        const value = valueOf(clause.list, row, context);
        const items = value === null ? [] : isList(value) ? value : [value];
        context.step(items.length);
        return items;
      };
      return {
        columns: [],
        rows: rows.flatMap((row) => itemsOf(row).map((item) => new Map(row).set(clause.name.text, item))),
      };
    }
    case 'call_query':
      return { columns: [], rows: rows.flatMap((row) => withSubquery(clause, row, context)) };
    case 'call_procedure':
      return unsupported(`the procedure ${clause.name}`);
    case 'with':
    case 'return':
      return project(clause, rows, context);
  }
};

const withSubquery = ({ imports, query }: SubqueryClause, row: Row, context: Context): readonly Row[] => {
  const imported = imports === null ? row : new Map(imports.map(({ text }) => [text, row.get(text) ?? null]));
  // Without a list of names, only a WITH at the beginning of a part imports names.
  const outerOf = ([first]: readonly Clause[]): Row =>
    imports === null && first?.kind !== 'with' ? new Map<string, Value>() : imported;
  const tables = query.parts.map((part) => context.query({ parts: [part], unions: [] }, outerOf(part), context));
  const { rows, columns } = united(tables, query.unions);
  return rows.map((each) => new Map([...row, ...columns.map((column) => [column, each.get(column) ?? null] as const)]));
};

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
const project = (clause: ProjectionClause, rows: readonly Row[], context: Context): Table => {
  const columns = clause.items.map((item): Column => ({ name: titleOf(item, context.text), value: item.value }));
  let found = groupsOf(columns, rows, context).map(({ row, group }): Projected => {
    const result = new Map(columns.map(({ name, value }) => [name, context.evaluate(value, row, context, group)]));
    return { result, scope: new Map([...row, ...result]), group };
  });
  if (clause.distinct) found = uniqueBy(found, ({ result }) => rowKey(result));
  found = sorted(found, clause.orderBy, columns, context);
  const skipped = countOf(clause.skip, context) ?? 0;
  found = found.slice(skipped, skipped + (countOf(clause.limit, context) ?? found.length));
  const { where } = clause;
  if (where !== null) found = found.filter(({ scope }) => truthOf(where, scope, context) === true);
  return { columns: columns.map(({ name }) => name), rows: found.map(({ result }) => result) };
};

/** Key of a row: equal for rows that DISTINCT and UNION treat as equal. */
const rowKey = (row: Row): string => [...row].map(([name, value]) => `${name}:${keyOf(value)}`).join();

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
      context.step();
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
