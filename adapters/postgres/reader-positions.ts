import { type Pool, type PoolClient } from 'pg';
import { type Position, START } from '../../domain/kernel/event';
import { type CheckpointStore } from '../../domain/ports/feed-consumer';

/** The distinct positions of checkpoints and parked events. Rejects when the database does not answer. */
export const readerPositions = async (pool: Pool): Promise<readonly Position[]> => {
  const { rows } = await pool.query<{ position: Position }>(
    'SELECT position::text FROM es.subscriptions UNION SELECT position::text FROM es.parked',
  );
  return rows.map(({ position }) => position);
};

/** Describes the checkpoints and parked events at a position. */
export const readersAt = async (pool: Pool, position: Position): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT 'the checkpoint of ' || name AS name FROM es.subscriptions WHERE position = $1
     UNION SELECT 'an event parked for ' || reader FROM es.parked WHERE position = $1 ORDER BY name`,
    [position],
  );
  return rows.map(({ name }) => name).join(', ');
};

/**
 * Changes the positions of checkpoints and parked events to those in another log. Rejects when `moved` lacks one of
 * them.
 */
export const remapReaderPositions = async (
  client: PoolClient,
  moved: ReadonlyMap<Position, Position>,
): Promise<void> => {
  await client.query('CREATE TEMP TABLE moved (before bigint PRIMARY KEY, after bigint NOT NULL) ON COMMIT DROP');
  await client.query('INSERT INTO moved SELECT * FROM unnest($1::bigint[], $2::bigint[])', [
    [...moved.keys()],
    [...moved.values()],
  ]);
  await client.query(
    'UPDATE es.subscriptions SET position = (SELECT after FROM moved WHERE before = subscriptions.position)',
  );
  // In two steps, because old and new positions may overlap and must stay unique.
  await client.query('UPDATE es.parked SET position = -position');
  await client.query('UPDATE es.parked SET position = (SELECT after FROM moved WHERE before = -parked.position)');
};

/**
 * Deletes everything derived from the log: read models, work of processes, parked events and checkpoints. Keeps the
 * rest: generated ids, stored responses, leases and runs of jobs.
 */
export const forgetReadModels = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname LIKE 'rm\\_%' OR nspname LIKE 'read\\_%'",
  );
  for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`);
  await client.query('TRUNCATE es.subscriptions, es.parked, es.effects, es.timers');
};

/**
 * Checkpoints of one version of readers other than projections, in the same table. A new version starts at the
 * checkpoint of the last one.
 */
export const createPostgresCheckpointStore = (pool: Pool, version: number): CheckpointStore => ({
  load: async (name) => {
    await pool.query(
      `INSERT INTO es.subscriptions (name, version, position)
       SELECT $1, $2, coalesce(max(position), 0) FROM es.subscriptions WHERE name = $1 AND version < $2
       ON CONFLICT DO NOTHING`,
      [name, version],
    );
    const { rows } = await pool.query<{ position: Position }>(
      'SELECT position::text FROM es.subscriptions WHERE name = $1 AND version = $2',
      [name, version],
    );
    return rows[0]?.position ?? START;
  },

  advance: async (name, from, to) => {
    const { rowCount } = await pool.query(
      'UPDATE es.subscriptions SET position = $4 WHERE name = $1 AND version = $2 AND position = $3',
      [name, version, from, to],
    );
    return rowCount === 1;
  },
});
