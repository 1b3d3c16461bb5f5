import { type Pool } from 'pg';
import { type Position } from '../../domain/kernel/event';

/** Waiting work and the progress of each reader, from the tables of schema `es`. */
export interface StoreMeasures {
  /** By name of the reader, in its latest version. */
  readonly positions: Readonly<Record<string, Position>>;
  /** By name of the reader, in its latest version. */
  readonly parkedEvents: Readonly<Record<string, number>>;
  readonly queuedCommands: Readonly<Record<string, number>>;
  readonly oldestCommandSeconds: number;
  readonly timers: number;
  readonly overdueTimers: number;
  readonly jobs: readonly {
    readonly name: string;
    readonly lastSuccess: number | null;
    readonly lastRunFailed: boolean;
  }[];
}

export const readStoreMeasures = async (pool: Pool): Promise<StoreMeasures> => {
  const one = async <R extends object>(sql: string): Promise<R | undefined> => (await pool.query<R>(sql)).rows[0];
  const counts = async (sql: string): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ name: string; value: string }>(sql);
    return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
  };
  const { rows: readers } = await pool.query<{ name: string; position: Position }>(
    'SELECT DISTINCT ON (name) name, position::text FROM es.subscriptions ORDER BY name, version DESC',
  );
  const oldest = await one<{ seconds: string }>(
    `SELECT greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0)) AS seconds FROM es.effects`,
  );
  const timers = await one<{ timers: string; overdue: string }>(
    `SELECT count(*) AS timers, count(*) FILTER (WHERE due_at < now() - interval '1 minute') AS overdue FROM es.timers`,
  );
  const jobs = await pool.query<{ name: string; last_success: string | null; failed: boolean | null }>(
    `SELECT p.job_name AS name, extract(epoch FROM p.last_success_at) AS last_success,
       (SELECT r.error IS NOT NULL FROM es.job_runs r WHERE r.job_name = p.job_name ORDER BY r.id DESC LIMIT 1) AS failed
     FROM es.job_progress p ORDER BY p.job_name`,
  );
  return {
    positions: Object.fromEntries(readers.map(({ name, position }) => [name, position])),
    parkedEvents: await counts(
      `SELECT s.name, (SELECT count(*) FROM es.parked p
         WHERE p.reader = s.name AND p.version = s.version AND p.epoch = s.epoch) AS value
       FROM (SELECT DISTINCT ON (name) * FROM es.subscriptions ORDER BY name, version DESC) s`,
    ),
    queuedCommands: await counts('SELECT kind AS name, count(*) AS value FROM es.effects GROUP BY kind'),
    oldestCommandSeconds: Number(oldest?.seconds ?? 0),
    timers: Number(timers?.timers ?? 0),
    overdueTimers: Number(timers?.overdue ?? 0),
    jobs: jobs.rows.map(({ name, last_success, failed }) => ({
      name,
      lastSuccess: last_success === null ? null : Number(last_success),
      lastRunFailed: failed ?? false,
    })),
  };
};
