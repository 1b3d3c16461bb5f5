import { type Pool } from 'pg';
import { pause } from '../system/retry';

const LOOK_EVERY_MS = 250;
const HOLDERS = `
  SELECT coalesce('table ' || lock.relation::regclass, lock.locktype || ' lock') AS locked, holder.pid,
    concat_ws(', ', nullif(holder.application_name, ''), 'user ' || holder.usename, host(holder.client_addr)) AS program,
    holder.xact_start AS since
  FROM pg_locks lock
  CROSS JOIN LATERAL unnest(pg_blocking_pids(lock.pid)) AS blocking(pid)
  JOIN pg_stat_activity holder ON holder.pid = blocking.pid
  WHERE lock.pid = $1 AND NOT lock.granted
  ORDER BY since LIMIT 1`;

interface HolderRow {
  readonly locked: string;
  readonly pid: number;
  readonly program: string;
  readonly since: Date | null;
}

/**
 * Watches what a server process waits for until the signal aborts, and resolves with the last lock and its holder, such
 * as `the table es.events is locked by process 7 (pg_dump, user ada), since …`; null if it never waited.
 */
export const watchLockHolder = async (pool: Pool, pid: number, signal: AbortSignal): Promise<string | null> => {
  let seen: string | null = null;
  for (;;) {
    await pause(LOOK_EVERY_MS, signal);
    if (signal.aborted) return seen;
    const { rows } = await pool.query<HolderRow>(HOLDERS, [pid]).catch(() => ({ rows: [] }));
    const [row] = rows;
    if (row !== undefined) {
      const since = row.since === null ? '' : `, since ${row.since.toISOString()}`;
      seen = `the ${row.locked} is locked by process ${row.pid} of the server (${row.program})${since}`;
    }
  }
};
