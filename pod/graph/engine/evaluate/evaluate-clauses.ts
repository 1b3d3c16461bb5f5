import { namesOfPaths } from '../cypher/steps';
import { type Clause, type MatchClause, type Query, type SubqueryClause } from '../cypher/tree';
import { type Context, type Row, stepCounter, type Table, truthOf, valueOf } from './context';
import { evaluateExpression } from './evaluate-expression';
import { unsupported } from './evaluation-fault';
import { project, rowKey } from './project';
import { isList, type Value, type ValueMap } from './values';

/** The context of an evaluation; a fault after `maxSteps`. */
export const contextOf = (text: string, parameters: ValueMap, match: Context['match'], maxSteps: number): Context => ({
  text,
  parameters,
  step: stepCounter(maxSteps),
  evaluate: evaluateExpression,
  match,
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
    return { columns, rows: isAll ? all : [...new Map(all.map((row) => [rowKey(row), row])).values()] };
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
      return { columns: [], rows: rows.flatMap((row) => matched(clause, row, context)) };
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

const matched = ({ paths, where, optional }: MatchClause, row: Row, context: Context): readonly Row[] => {
  const found = context
    .match(paths, row, context)
    .filter((each) => where === null || truthOf(where, each, context) === true);
  if (found.length > 0 || !optional) return found;
  const missing = namesOfPaths(paths).flatMap((text) => (row.has(text) ? [] : [[text, null] as const]));
  return [new Map<string, Value>([...row, ...missing])];
};

const withSubquery = ({ imports, query }: SubqueryClause, row: Row, context: Context): readonly Row[] => {
  const outer = imports === null ? row : new Map(imports.map(({ text }) => [text, row.get(text) ?? null]));
  const { rows, columns } = context.query(query, outer, context);
  return rows.map((each) => new Map([...row, ...columns.map((column) => [column, each.get(column) ?? null] as const)]));
};
