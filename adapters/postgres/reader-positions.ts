import { type Pool, type PoolClient } from 'pg';
import { type Position } from '../../domain/kernel/event';

/** The positions that checkpoints and parked events are at, each once. Rejects when the database does not answer. */
export const readerPositions = async (pool: Pool): Promise<readonly Position[]> => {
  const { rows } = await pool.query<{ position: Position }>(
    'SELECT position::text FROM es.subscriptions UNION SELECT position::text FROM es.parked',
  );
  return rows.map(({ position }) => position);
};

/** Names who is at a position, for people. */
export const readersAt = async (pool: Pool, position: Position): Promise<string> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT 'the checkpoint of ' || name AS name FROM es.subscriptions WHERE position = $1
     UNION SELECT 'an event parked for ' || reader FROM es.parked WHERE position = $1 ORDER BY name`,
    [position],
  );
  return rows.map(({ name }) => name).join(', ');
};

/** Puts checkpoints and parked events to their positions in another log. Rejects when `moved` does not have all of them. */
export const moveReaders = async (client: PoolClient, moved: ReadonlyMap<Position, Position>): Promise<void> => {
  await client.query('CREATE TEMP TABLE moved (before bigint PRIMARY KEY, after bigint NOT NULL) ON COMMIT DROP');
  await client.query('INSERT INTO moved SELECT * FROM unnest($1::bigint[], $2::bigint[])', [
    [...moved.keys()],
    [...moved.values()],
  ]);
  await client.query(
    'UPDATE es.subscriptions SET position = (SELECT after FROM moved WHERE before = subscriptions.position)',
  );
  // Twice, because the positions before and after may overlap, and each is unique at every moment.
  await client.query('UPDATE es.parked SET position = -position');
  await client.query('UPDATE es.parked SET position = (SELECT after FROM moved WHERE before = -parked.position)');
};

/**
 * Forgets everything that follows from the log: read models, work of processes, parked events and checkpoints. What the
 * log does not contain stays: ids given out, answers to repeated requests, leases and runs of jobs.
 */
export const forgetReadModels = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname LIKE 'rm\\_%' OR nspname LIKE 'read\\_%'",
  );
  for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`);
  await client.query('TRUNCATE es.subscriptions, es.parked, es.effects, es.timers');
};
