import { type PoolClient } from 'pg';

/**
 * Forgets everything that follows from the log: read models, work of processes, parked events and checkpoints. What the
 * log does not contain stays: ids given out, answers to repeated requests, leases and runs of jobs.
 */
export const forgetReadModels = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname LIKE 'rm\\_%' OR nspname = 'read'",
  );
  for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`);
  await client.query('TRUNCATE es.subscriptions, es.parked, es.effects, es.timers');
};
