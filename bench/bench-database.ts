import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { startPostgres } from '../adapters/embedded/postgres-server';
import { migrate } from '../adapters/postgres/migrate';
import { createPool } from '../adapters/postgres/pool';

export interface BenchDatabase {
  readonly connectionString: string;
  readonly pool: Pool;
  readonly folder: string;
}

/** Runs `measure` on a new, migrated PostgreSQL with production settings, and removes it afterwards. */
export const withBenchDatabase = async <A>(measure: (database: BenchDatabase) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-bench-'));
  const server = await startPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
  if (isLeft(server)) throw new Error(server.left.message);
  const { connectionString } = server.right;
  const pool = createPool({ connectionString });
  try {
    const migrated = await migrate(pool);
    if (isLeft(migrated)) throw new Error(migrated.left.message);
    return await measure({ connectionString, pool, folder });
  } finally {
    await pool.end();
    await server.right.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
