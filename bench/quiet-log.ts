import { type Pool } from 'pg';
import { createPostgresLeaseStore } from '../adapters/postgres/postgres-lease-store';
import { PROCESSES_VERSION } from '../commands/processes/process-inputs';
import { JOBS_LEASE } from '../domain/job';
import { PROCESSES } from '../domain/ports/feed-consumer';
import { processWorkProjection } from '../projections/process-work';
import { type Projection } from '../projections/projection';
import { fillLog } from './audit-world';

const HOURS = 3600;

/** Writes a log in which processes and background jobs have nothing to do: they would write beside a measurement. */
export const fillQuietLog = async (pool: Pool, events: number): Promise<void> => {
  // This lease is for the only replica that runs background jobs.
  await createPostgresLeaseStore(pool).acquire(JOBS_LEASE, 'bench', 10 * HOURS);
  await fillLog(pool, events);
  await setCheckpoint(pool, processWorkProjection, null);
  await setCheckpoint(pool, { name: PROCESSES, version: PROCESSES_VERSION }, null);
};

/** Sets a checkpoint; null: the end of the log, of which nothing is left to do. */
export const setCheckpoint = (
  pool: Pool,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  position: string | null,
): Promise<unknown> =>
  pool.query(
    `INSERT INTO es.subscriptions (name, version, position)
     VALUES ($1, $2, coalesce($3, (SELECT max(position) FROM es.events)))
     ON CONFLICT (name, version) DO UPDATE SET position = excluded.position`,
    [name, version, position],
  );
