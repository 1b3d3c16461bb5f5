import { type DuckDBDataChunk, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { sqlName, sqlString } from '../../../adapters/duckdb/sql-text';

export { sqlName, sqlString };

export interface DuckdbLimits {
  readonly memoryBytes: number;
  readonly threads: number;
  /** Folder for spill files. */
  readonly scratchDirectory: string;
}

/** An in-memory DuckDB over local Parquet files. Rejects only on bugs and when resources run out. */
export type DuckdbSession = Awaited<ReturnType<typeof openDuckdb>>;

export const openDuckdb = async (limits: DuckdbLimits) => {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(Math.max(1, Math.floor(limits.threads))),
    memory_limit: `${Math.max(128, Math.floor(limits.memoryBytes / 2 ** 20))}MiB`,
    temp_directory: limits.scratchDirectory,
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    connection,
    run: async (sql: string): Promise<void> => {
      await connection.run(sql);
    },
    /** Rows as objects of JavaScript values; integers are bigint. */
    rows: async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS(),
    columns: async (sql: string) => {
      const prepared = await connection.prepare(sql);
      const described = Array.from({ length: prepared.columnCount }, (_, index) => ({
        name: prepared.columnName(index),
        type: prepared.columnType(index),
      }));
      prepared.destroySync();
      return described;
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

/** A table that belongs to a label. Labels may differ in case only, which DuckDB's names do not. */
export const tableOf = (purpose: string, label: string): string =>
  sqlName(`${purpose} of ${Buffer.from(label).toString('hex')}`);

export const readParquet = (files: readonly string[]): string =>
  `read_parquet([${files.map(sqlString).join(', ')}], union_by_name = false, hive_partitioning = false)`;

/** The chunks of a streamed result. While one is used the next one is read. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk, void> {
  let next = result.fetchChunk();
  for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
    next = result.fetchChunk();
    // A failure is thrown after this chunk.
    next.catch(() => undefined);
    yield chunk;
  }
}
