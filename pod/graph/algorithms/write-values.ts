import { DOUBLE, DuckDBDataChunk, UINTEGER } from '@duckdb/node-api';
import { sqlString, type DuckdbSession } from '../duckdb/duckdb-session';
import { type NodeValues, type ValueType } from './algorithm';
import { numberedTable } from './read-graph';

const CHUNK_ROWS = 2048;
const SQL_TYPE: Readonly<Record<ValueType, string>> = { DOUBLE: 'DOUBLE', INT64: 'BIGINT', BOOL: 'BOOLEAN' };

/** Writes the value of every numbered node to one Parquet file per label, with the columns `key` and `value`. */
export const writeValues = async (
  session: DuckdbSession,
  values: NodeValues,
  valueType: ValueType,
  files: readonly string[],
): Promise<void> => {
  await session.run('CREATE TABLE computed(number UINTEGER, value DOUBLE)');
  const appender = await session.connection.createAppender('computed');
  for (let start = 0; start < values.length; start += CHUNK_ROWS) {
    const part = values.subarray(start, start + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create([UINTEGER, DOUBLE]);
    chunk.setColumns([Array.from(part, (_, row) => start + row), [...part]]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  for (const [place, file] of files.entries()) {
    await session.run(
      `COPY (SELECT n.key, c.value::${SQL_TYPE[valueType]} AS value FROM ${numberedTable(place)} AS n ` +
        `JOIN computed AS c USING (number)) TO ${sqlString(file)} (FORMAT parquet)`,
    );
  }
};
