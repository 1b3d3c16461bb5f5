import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { startPostgres } from '../adapters/embedded/postgres-server';
import { migrate } from '../adapters/postgres/migrate';
import { createPool } from '../adapters/postgres/pool';
import { need } from './need';

export interface BenchDatabase {
  readonly connectionString: string;
  readonly pool: Pool;
  readonly folder: string;
}

/** Runs `measure` on a new, migrated PostgreSQL with production settings, and removes it afterwards. */
export const withBenchDatabase = async <A>(measure: (database: BenchDatabase) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-bench-'));
  const server = need(await startPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined }));
  const { connectionString } = server;
  const pool = createPool({ connectionString });
  try {
    need(await migrate(pool));
    return await measure({ connectionString, pool, folder });
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
