import { DOUBLE, UINTEGER } from '@duckdb/node-api';
import { sqlString, type DuckdbSession } from '../loading/duckdb-session';

/** Writes one value per numbered node to a Parquet file with the columns `key` and `value`. */
export const writeValues = async (session: DuckdbSession, values: Float64Array, file: string): Promise<void> => {
  await session.run(`CREATE TABLE computed(number UINTEGER, value DOUBLE)`);
  const appender = await session.connection.createAppender('computed');
  for (const [number, value] of values.entries()) {
    appender.appendValue(number, UINTEGER);
    appender.appendValue(value, DOUBLE);
    appender.endRow();
  }
  appender.closeSync();
  await session.run(
    `COPY (SELECT n.key, c.value FROM numbered AS n JOIN computed AS c USING (number)) TO ${sqlString(file)} (FORMAT parquet)`,
  );
};
