import { DuckDBInstance } from '@duckdb/node-api';
import { sqlName, sqlString } from './sql-text';

/** Writes a Parquet file without rows, for columns with DuckDB's types. */
export const writeEmptyParquet = async (
  path: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<void> => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const list = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${sqlName(name)}`).join(', ');
  try {
    await connection.run(`COPY (SELECT ${list} LIMIT 0) TO ${sqlString(path)} (FORMAT parquet)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
