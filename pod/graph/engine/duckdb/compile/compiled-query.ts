import { type DuckDBType, type DuckDBValue } from '@duckdb/node-api';

/** A query as one SQL statement. */
export interface CompiledQuery {
  /** One SELECT; its columns are VARCHAR: the JSON text of the value, or null. */
  readonly sql: string;
  readonly columns: readonly string[];
  /** One per column, as in `GraphAnswer`. */
  readonly columnTypes: readonly string[];
  /** The greatest number of rows; infinite if it is not known. */
  readonly mostRows: number;
  /** In the order of $1, $2, … */
  readonly parameters: readonly BoundParameter[];
}

export interface BoundParameter {
  readonly type: DuckDBType;
  readonly value: (parameters: Readonly<Record<string, unknown>>) => DuckDBValue;
}
