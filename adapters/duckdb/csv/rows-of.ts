import { type DuckDBConnection } from '@duckdb/node-api';

/** A row of a query by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

export const rowsOf = async (connection: DuckDBConnection, sql: string): Promise<readonly Row[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJS();
