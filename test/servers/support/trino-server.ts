import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { right } from 'fp-ts/Either';
import { createTrinoQueryEngine, type TrinoSettings } from '../../../adapters/trino/trino-query-engine';
import { TrinoClient } from '../../../adapters/trino/trino-client';
import { type ExportDestination, type SharedQueryEngine, type StoredFile } from '../../../domain/ports/query-engine';
import { ok, readParquet } from '../../contracts/query-engine/query-engine-contract';

const { TRINO_URL, S3_ENDPOINT, S3_BUCKET = 'rowgraph', AWS_REGION = 'us-east-1' } = process.env;

/** Needs Trino with the catalogs `memory`, `hive`, `iceberg`, `blackhole` and `tpch`, and S3 that Trino reaches. */
export const describeWithTrino = TRINO_URL === undefined || S3_ENDPOINT === undefined ? describe.skip : describe;

export const trinoSettings = (changes: Partial<TrinoSettings> = {}): TrinoSettings => ({
  ...{ url: TRINO_URL ?? '', user: 'rowgraph', passwordFile: null, tokenFile: null, patienceMs: 10_000 },
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

/** A table that gives rows for minutes. */
export const SLOW_TABLE = 'blackhole.default.slow';
export const createSlowTable = ({ sql }: TrinoUnderTest): Promise<unknown> =>
  sql(`CREATE TABLE IF NOT EXISTS ${SLOW_TABLE} (n bigint)
    WITH (split_count = 4, pages_per_split = 1000, rows_per_page = 10, page_processing_delay = '1s')`);

const s3 = new S3Client({ endpoint: S3_ENDPOINT ?? '', region: AWS_REGION, forcePathStyle: true });

/** Keys below a prefix. */
export const keysBelow = async (prefix: string): Promise<readonly string[]> => {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: S3_BUCKET, Prefix: prefix }));
  return Contents.flatMap(({ Key }) => Key ?? []);
};

export const putObject = async (key: string, path: string): Promise<unknown> =>
  s3.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key: key, Body: await readFile(path) }));

/** A folder of its own in S3 as the destination of an export. */
export interface S3Destination extends ExportDestination {
  readonly prefix: string;
  /** Copies of its Parquet files. */
  fetch(): Promise<readonly string[]>;
}

export const s3Destination = (folder: string): S3Destination => {
  const prefix = `exports/${randomBytes(8).toString('hex')}/`;
  const copies = join(folder, 'copies');
  const stored = async (name: string, path: string): Promise<StoredFile> => {
    const { rows } = await readParquet([path]);
    return { name, bytes: (await readFile(path)).length, rows: rows.length, sha256: null };
  };
  const fetchAll = async (): Promise<readonly { readonly name: string; readonly path: string }[]> => {
    await mkdir(copies, { recursive: true });
    const data = (await keysBelow(prefix)).filter((key) => !key.includes('/metadata/'));
    return Promise.all(
      data.map(async (key) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: S3_BUCKET, Key: key }));
        const path = join(copies, basename(key));
        await writeFile(path, (await Body?.transformToByteArray()) ?? '');
        return { name: key.slice(prefix.length), path };
      }),
    );
  };
  return {
    prefix,
    url: `s3://${S3_BUCKET}/${prefix}`,
    put: async (name, path) => {
      await putObject(prefix + name, path);
      return right(await stored(name, path));
    },
    storedFiles: async () => right(await Promise.all((await fetchAll()).map(({ name, path }) => stored(name, path)))),
    fetch: async () => (await fetchAll()).map(({ path }) => path),
  };
};
