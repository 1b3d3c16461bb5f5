import { scopesOf } from '../cypher/scopes';
import { namesOfPaths } from '../cypher/steps';
import { type Clause, type MatchClause, type Query, type SubqueryClause } from '../cypher/tree';
import { type Context, type Row, stepCounter, type Table, truthOf, valueOf } from './context';
import { evaluateExpression } from './evaluate-expression';
import { unsupported } from './evaluation-fault';
import { project, rowKey } from './project';
import { isList, type Value, type ValueMap } from './values';

/** What queries are evaluated with; a fault after `maxSteps`. */
export const contextOf = (text: string, parameters: ValueMap, match: Context['match'], maxSteps: number): Context => ({
  text,
  parameters,
  step: stepCounter(maxSteps),
  evaluate: evaluateExpression,
  match,
  query: tableOf,
});

/** The rows of a query; `row`: what it knows from outside. */
export const tableOf = ({ parts, unions }: Query, row: Row, context: Context): Table => {
  let result: Table | null = null;
  for (const [at, clauses] of parts.entries()) {
    const next = afterClauses(clauses, [row], context);
    if (result === null) {
      result = next;
      continue;
    }
    const columns: readonly string[] = result.columns;
    const same: readonly Row[] = next.rows.map(
      (each) => new Map(columns.map((column) => [column, each.get(column) ?? null])),
    );
    const rows: readonly Row[] = [...result.rows, ...same];
    const isAll = unions[at - 1] === 'UNION ALL';
    result = { columns, rows: isAll ? rows : [...new Map(rows.map((each) => [rowKey(each), each])).values()] };
  }
  return result ?? { columns: [], rows: [] };
};

/** The rows after clauses that follow each other. */
export const afterClauses = (clauses: readonly Clause[], before: readonly Row[], context: Context): Table => {
  let table: Table = { columns: [], rows: before };
  for (const clause of clauses) table = afterClause(clause, table.rows, clauses, context);
  return table;
};

const afterClause = (clause: Clause, rows: readonly Row[], clauses: readonly Clause[], context: Context): Table => {
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
      return project(clause, rows, namesBefore(clause, rows, clauses), context);
  }
};

/** The names in scope; without rows those that the clauses before introduce. */
const namesBefore = (clause: Clause, [first]: readonly Row[], clauses: readonly Clause[]): readonly string[] => {
  if (first !== undefined) return [...first.keys()].filter((name) => !name.startsWith(' '));
  if (clause.kind === 'return' || clause.kind === 'with') {
    if (!clause.items.some(({ value }) => value.kind === 'star')) return [];
  }
  return [
    ...(scopesOf({ parts: [clauses], unions: [] })
      .before.get(clause)
      ?.keys() ?? []),
  ];
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
