import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { createDuckdbQueryEngine, type DuckdbQueryEngine } from '../../../adapters/duckdb/duckdb-query-engine';
import { ok } from '../../contracts/query-engine/query-engine-contract';

/** A folder with a warehouse, an engine on it, and other files of a test. */
export interface WarehouseFixture {
  readonly folder: string;
  readonly warehouse: string;
  readonly engine: DuckdbQueryEngine;
  close(): Promise<void>;
}

/** Runs statements in a new or existing database file (or in memory, for COPY). */
export const runInDatabase = async (path: string, ...statements: readonly string[]): Promise<void> => {
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
};

/** Writes the rows of a query to a Parquet file below a folder. */
export const writeParquet = async (path: string, sql: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await runInDatabase(':memory:', `COPY (${sql}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
};

const HEADER = 4096;
/** DuckDB's checksum of a block, which its first eight bytes hold. */
const checksum = (content: Buffer): bigint => {
  let sum = 5381n;
  for (let at = 0; at < content.length; at += 8) {
    sum ^= BigInt.asUintN(64, content.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  }
  return sum;
};

/**
 * Changes a database file to refer to a block that does not exist as its catalog: DuckDB fails with an internal error.
 */
export const loseCatalogOf = async (path: string): Promise<void> => {
  const file = await readFile(path);
  for (const header of [HEADER, 2 * HEADER]) {
    file.writeBigUInt64LE(77n, header + 16);
    file.writeBigUInt64LE(checksum(file.subarray(header + 8, header + HEADER)), header);
  }
  await writeFile(path, file);
};

/** Changes a database file to look as if a later version of DuckDB had written it. */
export const writtenByLaterVersion = async (path: string): Promise<void> => {
  const file = await readFile(path);
  file.writeBigUInt64LE(999n, 12);
  file.writeBigUInt64LE(checksum(file.subarray(8, HEADER)), 0);
  await writeFile(path, file);
};

/** Opens an engine on a warehouse with the catalog `bank`. */
export const openWarehouseFixture = async (detachAfterMs?: number): Promise<WarehouseFixture> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-warehouse-'));
  const warehouse = join(folder, 'warehouse');
  await runInDatabase(
    join(warehouse, 'bank.duckdb'),
    "CREATE TABLE customer AS SELECT i AS id, 'n' || i AS name FROM range(1000) t(i)",
  );
  const engine = ok(
    await createDuckdbQueryEngine({
      warehouseDirectory: warehouse,
      scratchDirectory: join(folder, 'scratch'),
      layoutDirectory: join(folder, 'csv-layouts'),
      memoryLimitMb: 500,
      threads: 2,
      ...(detachAfterMs === undefined ? {} : { detachAfterMs }),
    }),
  );
  const close = async (): Promise<void> => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, warehouse, engine, close };
};
