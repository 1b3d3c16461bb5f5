import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { READ_PATH } from '../../projections/registry';
import { createTestDatabase } from './postgres';
import { type RunningSystem, startRunningSystem } from './running-system';
import { settingsOfOwnLog } from './system-event-store';

/** Signs the service tokens of both. */
export const INTERNAL_SECRET = 'the secret of two control planes';

export interface TwoControlPlanes {
  readonly first: RunningSystem;
  readonly second: RunningSystem;
  /** Runs a statement on the database they share. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/**
 * Two control planes on one database and one object store. Unless the settings say otherwise, they run no pods: local
 * processes belong to one of them. `prepare` fills the warehouse of each.
 */
export const startTwoControlPlanes = async (
  settings: Readonly<Record<string, string>> = {},
  prepare?: (warehouse: string) => Promise<void>,
): Promise<TwoControlPlanes> => {
  const database = await createTestDatabase();
  const objects = await mkdtemp(join(tmpdir(), 'rowgraph-objects-'));
  const shared = {
    ROWGRAPH_DATABASE_URL: database.connectionString,
    ROWGRAPH_OBJECT_STORE_DIR: objects,
    ROWGRAPH_INTERNAL_SECRET: INTERNAL_SECRET,
    ROWGRAPH_POD_RUNTIME: 'none',
    // A busy machine must not refuse bursts of requests.
    ROWGRAPH_EVENT_STORE_PATIENCE: '60s',
    ...settingsOfOwnLog(),
    ...settings,
  };
  const first = await startRunningSystem(prepare, shared);
  // The users already exist: both systems share them.
  const second = await startRunningSystem(prepare, shared, () => Promise.resolve());
  return {
    first,
    second,
    query: async (sql) => {
      const client = new Client({ connectionString: database.connectionString });
      await client.connect();
      try {
        await client.query(`SET search_path TO ${READ_PATH.join(', ')}`);
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    close: async () => {
      await Promise.all([first.close(), second.close()]);
      await rm(objects, { recursive: true, force: true });
      await database.drop();
    },
  };
};
