import { randomUUID } from 'node:crypto';
import { type ApiClient } from '../../adapters/client';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { TrinoClient } from '../../adapters/trino/trino-client';
import { withBenchDatabase } from '../bench-database';
import { withBenchSystem } from '../bench-system';
import { need } from '../need';
import { benchClient } from '../start-instance';

export interface TrinoBench {
  readonly api: ApiClient;
  /** The rows of a statement on Trino. */
  readonly sql: (statement: string) => Promise<readonly (readonly unknown[])[]>;
}

/**
 * Runs `measure` against a system on the servers of `TRINO_URL` and `S3_ENDPOINT`; removes what it stored there
 * afterwards.
 */
export const withTrinoSystem = async <A>(
  measure: (bench: TrinoBench) => Promise<A>,
  more: Readonly<Record<string, string>> = {},
): Promise<A> => {
  const {
    TRINO_URL,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket = 'rowgraph',
    AWS_REGION: region = 'us-east-1',
  } = process.env;
  if (TRINO_URL === undefined || endpoint === undefined)
    throw new Error(
      'TRINO_URL or S3_ENDPOINT is missing: name a Trino server with the catalogs tpch and hive, and its S3 server.',
    );
  const unique = randomUUID().replaceAll('-', '');
  const prefix = `bench/${unique}`;
  const exports = `hive.bench_${unique}`;
  const client = new TrinoClient({
    url: TRINO_URL,
    user: 'bench',
    passwordFile: null,
    tokenFile: null,
    timeoutMs: 60_000,
  });
  const sql: TrinoBench['sql'] = async (statement) => need(await client.run(statement)).rows;
  const settings = {
    ...{ ROWGRAPH_PORT: '0', ROWGRAPH_INTERNAL_PORT: '0', ROWGRAPH_EMBEDDED_WORKER: 'on' },
    ...{ ROWGRAPH_QUERY_ENGINE: 'trino', ROWGRAPH_OBJECT_STORE: 's3' },
    ...{ ROWGRAPH_TRINO_URL: TRINO_URL, ROWGRAPH_TRINO_EXPORT_SCHEMA: exports },
    ...{ ROWGRAPH_S3_BUCKET: bucket, ROWGRAPH_S3_PREFIX: prefix, ROWGRAPH_S3_ENDPOINT: endpoint },
    ...{ ROWGRAPH_S3_PATH_STYLE: 'on', ROWGRAPH_S3_REGION: region, ...more },
  };
  // The embedded worker reads these from the environment.
  Object.assign(process.env, settings);
  await sql(`CREATE SCHEMA ${exports}`);
  try {
    return await withBenchDatabase((database) =>
      withBenchSystem(database, (url) => measure({ api: benchClient(url), sql }), settings),
    );
  } finally {
    await sql(`DROP SCHEMA ${exports} CASCADE`);
    const stored = { bucket, prefix, endpoint, region, pathStyle: true, encryption: null } as const;
    await new S3ObjectStore({ ...stored, checksums: 'supported' }).deleteAll('');
  }
};
