import { type compileQuery } from '../../../../../pod/graph/engine/duckdb/compile/compile-query';
import { INTEGER, TEXT } from '../../../../../pod/graph/engine/duckdb/compile/type';
import { DuckdbEngine } from '../../../../../pod/graph/engine/duckdb/duckdb-engine';
import { QueryCompiler } from '../../../../../pod/graph/engine/duckdb/query-compiler';
import { type EngineOptions } from '../../../../../pod/graph/engine/graph-engine';

/** A query that stands for the SQL of one column; parameters are bound in the order of their names. */
export const sqlQuery = (sql: string, parameters: Record<string, unknown> = {}, timeoutMs = 20_000) => {
  const names = Object.keys(parameters);
  const items = ['n', ...names.map((name) => `$${name}`)];
  return { text: `MATCH (n) RETURN ${items.join(', ')} /* ${sql} */`, parameters, timeoutMs };
};

/** Takes the SQL from the comment. */
const compileHandwritten: typeof compileQuery = ({ text, parameters: names }, { parameters: given }) => ({
  sql: (/\/\* (.*) \*\//s.exec(text) ?? [])[1] ?? '',
  columns: ['x'],
  nestedTypes: [],
  columnTypes: ['ANY'],
  mostRows: Infinity,
  parameters: names.map((name) =>
    typeof given[name] === 'number'
      ? { type: INTEGER, value: (parameters) => BigInt(Number(parameters[name])) }
      : { type: TEXT, value: (parameters) => String(parameters[name]) },
  ),
});

/** The engine for queries in SQL. */
export const handwrittenEngine = (directory: string, options: Partial<EngineOptions> = {}): DuckdbEngine =>
  new DuckdbEngine(
    { directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined, ...options },
    { compiler: new QueryCompiler(compileHandwritten) },
  );
