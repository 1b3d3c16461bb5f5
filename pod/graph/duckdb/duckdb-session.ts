import '../../../adapters/duckdb/exact-texts';
import { type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
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
    /**
     * The chunks of a SELECT that returns `rowCount` rows. While one is used the next one is read. A stream simply ends at
     * an error, so a result with another number of rows is an error.
     */
    async *chunks(sql: string, rowCount: number): AsyncGenerator<DuckDBDataChunk, void> {
      const result = await connection.stream(sql);
      let read = 0;
      let next = result.fetchChunk();
      for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
        read += chunk.rowCount;
        next = result.fetchChunk();
        // A failure is thrown after this chunk.
        next.catch(() => undefined);
        yield chunk;
      }
      if (read !== rowCount) throw new Error(`${read} rows were read; expected ${rowCount}.`);
    },
    /** The number of rows of Parquet files. */
    count: async (files: readonly string[]): Promise<number> => {
      const [[count] = []] = await (await connection.run(`SELECT count(*) FROM ${readParquet(files)}`)).getRowsJS();
      return Number(count);
    },
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
