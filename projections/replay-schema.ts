import { randomUUID } from 'node:crypto';
import { type Pool, type PoolClient } from 'pg';
import { inTransaction } from './projection-tables';
import { projections } from './registry';
import { leftOut, openReplay, type Replay } from './replay';

/** The projections that have tables. */
export const readModels = projections.filter(({ tables }) => tables !== '');

/** The process that fills a schema holds the advisory lock of this number and its name. */
const LOCKS = 702017061;
const PREFIX = 'replay_';
const LOST =
  'the connection to the database that holds the lock of the replayed read models was lost. Start the command again.';

/**
 * Creates all read models in a new schema for the duration of some work. A session lock protects the schema; after
 * the end of its process, the next caller of `dropAbandonedReplays` removes it. `lost` aborts when the connection that
 * holds the lock ends: from then on another process may remove the schema.
 */
export const withReplaySchema = async <A>(
  pool: Pool,
  work: (schema: string, replay: Replay, lost: AbortSignal) => Promise<A>,
): Promise<A> => {
  const schema = `${PREFIX}${randomUUID().replaceAll('-', '')}`;
  const holder = await pool.connect();
  const lost = new AbortController();
  holder.once('end', () => lost.abort(new Error(LOST)));
  try {
    await dropAbandonedReplays(pool);
    await holder.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCKS, schema]);
    await inTransaction(pool, async (client) => {
      await client.query(`CREATE SCHEMA ${schema}`);
      await client.query(`SET LOCAL search_path TO ${schema}`);
      for (const { tables } of readModels) await client.query(tables);
    });
    const targets = readModels.map((projection) => ({ projection, schema, parkedIn: () => leftOut }));
    return await work(schema, openReplay(pool, targets), lost.signal);
  } finally {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`).catch(() => undefined);
    // Ends the session, and with it the lock.
    holder.release(true);
  }
};

/** Removes the schemas of killed processes. Every opening of a database calls it. */
export const dropAbandonedReplays = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, '${PREFIX}')`,
  );
  for (const { name } of rows) await inTransaction(pool, (client) => dropUnlocked(client, name));
};

const dropUnlocked = async (client: PoolClient, schema: string): Promise<void> => {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked',
    [LOCKS, schema],
  );
  if (rows[0]?.locked === true) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
};
