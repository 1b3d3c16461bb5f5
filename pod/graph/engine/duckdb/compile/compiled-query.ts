import { type DuckDBType, type DuckDBValue } from '@duckdb/node-api';

/** A query as one SELECT. */
export interface CompiledQuery {
  /** Its parameters are `$1`, `$2`, …; each result column is VARCHAR: the JSON text of the value, NULL for null. */
  readonly sql: string;
  /** The titles of the columns. */
  readonly columns: readonly string[];
  /** One per column, as named by `answerTypeName`. */
  readonly columnTypes: readonly string[];
  /** In the order of `$1`, `$2`, … */
  readonly parameters: readonly BoundParameter[];
}

export interface BoundParameter {
  readonly name: string;
  readonly type: DuckDBType;
  /** The value to bind; throws a `QueryFault` for a value that the query cannot use. */
  readonly value: (parameters: Readonly<Record<string, unknown>>) => DuckDBValue;
}
