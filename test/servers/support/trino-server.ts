import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { S3ObjectStore } from '../../../adapters/s3/s3-object-store';
import { TrinoClient } from '../../../adapters/trino/trino-client';
import { createTrinoQueryEngine, type TrinoSettings } from '../../../adapters/trino/trino-query-engine';
import { type ExportDestination, type SharedQueryEngine, type StoredFile } from '../../../domain/ports/query-engine';
import { exportDestination } from '../../../pod/export-worker/export-destination';
import { ok } from '../../contracts/query-engine/query-engine-contract';
import { s3OfTest } from './s3';

const { TRINO_URL, S3_ENDPOINT } = process.env;

/** Needs Trino with the catalogs `memory`, `hive`, `iceberg`, `blackhole` and `tpch`, and S3 that Trino reaches. */
export const describeWithTrino = TRINO_URL === undefined || S3_ENDPOINT === undefined ? describe.skip : describe;

export const trinoSettings = (changes: Partial<TrinoSettings> = {}): TrinoSettings => ({
  ...{ url: TRINO_URL ?? '', user: 'rowgraph', passwordFile: null, tokenFile: null, timeoutMs: 10_000 },
  ...{ catalog: 'hive', schema: 'rowgraph_exports', method: 'ctas', impersonation: false },
  ...{ defaultCatalog: 'memory', defaultSchema: 'main' },
  ...changes,
});

export interface TrinoUnderTest {
  readonly engine: SharedQueryEngine;
  readonly client: TrinoClient;
  readonly settings: TrinoSettings;
  /** Rows of a statement. */
  sql(statement: string): Promise<readonly (readonly unknown[])[]>;
}

/** A query engine over the server of the environment; the schema of its exports exists. */
export const openTrino = async (changes: Partial<TrinoSettings> = {}): Promise<TrinoUnderTest> => {
  const settings = trinoSettings(changes);
  const client = new TrinoClient(settings);
  const sql = async (statement: string) => ok(await client.run(statement)).rows;
  if (settings.method === 'ctas' && ['hive', 'iceberg'].includes(settings.catalog)) {
    await sql(`CREATE SCHEMA IF NOT EXISTS ${settings.catalog}.${settings.schema}`);
  }
  return { engine: createTrinoQueryEngine(settings), client, settings, sql };
};

/** A table that returns rows for minutes. */
export const SLOW_TABLE = 'blackhole.default.slow';
export const createSlowTable = ({ sql }: TrinoUnderTest): Promise<unknown> =>
  sql(`CREATE TABLE IF NOT EXISTS ${SLOW_TABLE} (n bigint)
    WITH (split_count = 4, pages_per_split = 1000, rows_per_page = 10, page_processing_delay = '1s')`);

const server = s3OfTest();

/** A new folder in S3 as the destination of an export, as workers use it. */
export interface S3Destination extends ExportDestination {
  readonly prefix: string;
  /** The keys in it. */
  keys(): Promise<readonly string[]>;
  /** Copies its Parquet files and returns their paths. */
  fetch(): Promise<readonly string[]>;
}

export const s3Destination = (folder: string): S3Destination => {
  if (server === null) throw new Error('S3_ENDPOINT is missing.');
  const prefix = `exports/${randomBytes(8).toString('hex')}/`;
  const store = new S3ObjectStore(server.settings(''));
  const destination = exportDestination(store, prefix);
  return {
    ...destination,
    prefix,
    keys: async () => ok(await store.list(prefix)).map(({ key }) => key),
    fetch: async () => {
      const copies = join(folder, 'copies');
      await mkdir(copies, { recursive: true });
      const copy = async ({ name, bytes }: StoredFile): Promise<string> => {
        const path = join(copies, basename(name));
        await writeFile(path, ok(await store.getRange(prefix + name, 0, bytes)));
        return path;
      };
      return Promise.all(ok(await destination.storedFiles()).map(copy));
    },
  };
};
