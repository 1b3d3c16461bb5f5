import { DuckDBInstance } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { sqlString } from './sql-text';

const Footers = t.array(t.type({ file_name: t.string, rows: t.number }));

/** The number of rows of each Parquet file, by its footer. Fails with a reason when one is not a readable Parquet file. */
export const parquetRowCounts = async (paths: readonly string[]): Promise<Either<string, readonly number[]>> => {
  if (paths.length === 0) return right([]);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(
      `SELECT file_name, num_rows::DOUBLE AS rows FROM parquet_file_metadata([${paths.map(sqlString).join(', ')}])`,
    );
    const footers = Footers.decode(result.getRowObjectsJson());
    if (isLeft(footers)) return left('the footers of the Parquet files have no row counts');
    const rows = new Map(footers.right.map((footer) => [footer.file_name, footer.rows]));
    const counts = paths.flatMap((path) => rows.get(path) ?? []);
    return counts.length === paths.length ? right(counts) : left('not every Parquet file has a footer');
  } catch (error) {
    return left(`not a readable Parquet file: ${String(error)}`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
