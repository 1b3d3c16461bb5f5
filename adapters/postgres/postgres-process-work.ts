import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type DueCommand, type ProcessWork } from '../../domain/ports/process-work';
import { ProcessCommand } from '../../domain/processes';

interface CommandRow {
  readonly stream_id: string;
  readonly revision: string;
  readonly payload: Pick<DueCommand, 'correlationId' | 'eventId' | 'traceparent'> & { readonly command: unknown };
  readonly attempt: number;
  readonly lease: string;
}

interface TimerRow {
  readonly stream_id: string;
  readonly timer_id: string;
  readonly payload: { readonly setRevision: number };
}

/** Longer than firing a timer takes. */
const TIMER_RETRY_SECONDS = { first: 5, longest: 300 };

const TAKE_TIMERS = `
  UPDATE es.timers SET attempt = attempt + 1,
    retry_at = now() + make_interval(secs => least($2 * 2 ^ least(attempt, 20), $3))
  WHERE (stream_id, timer_id) IN (
    SELECT stream_id, timer_id FROM es.timers WHERE due_at <= now() AND (retry_at IS NULL OR retry_at <= now())
    ORDER BY coalesce(retry_at, due_at) LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  RETURNING stream_id, timer_id, payload`;

/** The processes' work tables, filled by the projection `process_work`. An unreadable command does not delay others. */
export const createPostgresProcessWork = (pool: Pool, onUnreadable: (message: string) => void): ProcessWork => ({
  takeDueCommands: async (limit, leaseSeconds) => {
    const { rows } = await pool.query<CommandRow>(
      `UPDATE es.effects SET lease_until = now() + make_interval(secs => $2)
       WHERE (stream_id, revision, idx) IN (
         SELECT stream_id, revision, idx FROM es.effects
         WHERE due_at <= now() AND (lease_until IS NULL OR lease_until <= now())
         ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       RETURNING stream_id, revision::text, payload, attempt, lease_until::text AS lease`,
      [limit, leaseSeconds],
    );
    return rows.flatMap((row) => {
      const due = toDueCommand(row);
      if (due !== null) return [due];
      onUnreadable(
        `the command queued at ${row.stream_id}@${row.revision} is unknown to this version; it waits for an upgrade`,
      );
      return [];
    });
  },

  renewCommand: async (command, leaseSeconds) => {
    const { rows } = await pool.query<Pick<CommandRow, 'lease'>>(
      `UPDATE es.effects SET lease_until = now() + make_interval(secs => $4)
       WHERE stream_id = $1 AND revision = $2 AND lease_until = $3::timestamptz RETURNING lease_until::text AS lease`,
      [command.streamId, command.queuedRevision, command.lease, leaseSeconds],
    );
    return rows[0] === undefined ? null : { ...command, lease: rows[0].lease };
  },

  retryCommand: async ({ streamId, queuedRevision, lease }, delayMs, failure) => {
    await pool.query(
      `UPDATE es.effects SET attempt = attempt + 1, due_at = now() + make_interval(secs => $4), lease_until = NULL,
         payload = payload || jsonb_build_object('failure', $5::text)
       WHERE stream_id = $1 AND revision = $2 AND lease_until = $3::timestamptz`,
      [streamId, queuedRevision, lease, delayMs / 1000, failure],
    );
  },

  failureOf: failureReader(pool),

  stuckCommands: async () => {
    const { rows } = await pool.query<{ stream_id: string; kind: string; attempt: number }>(
      `SELECT stream_id, kind, attempt FROM es.effects
       WHERE attempt >= 10 OR due_at < now() - interval '5 minutes' ORDER BY stream_id, revision`,
    );
    return rows.map(({ stream_id, kind, attempt }) => ({ streamId: stream_id, type: kind, attempts: attempt }));
  },

  takeDueTimers: async (limit) => {
    const { first, longest } = TIMER_RETRY_SECONDS;
    const { rows } = await pool.query<TimerRow>(TAKE_TIMERS, [limit, first, longest]);
    return rows.map(({ stream_id, timer_id, payload }) => ({
      streamId: stream_id,
      timerId: timer_id,
      setRevision: payload.setRevision,
    }));
  },
});

const failureReader =
  (pool: Pool): ProcessWork['failureOf'] =>
  async (streamId, type) => {
    const { rows } = await pool.query<{ failure: string | null }>(
      `SELECT payload ->> 'failure' AS failure FROM es.effects WHERE stream_id = $1 AND kind = $2
       ORDER BY revision DESC LIMIT 1`,
      [streamId, type],
    );
    return rows[0]?.failure ?? null;
  };

/**
 * Releases every leased command and lease, for a system with one runner that has just started: the holders have ended.
 */
export const releaseLeases = async (pool: Pool): Promise<void> => {
  await pool.query('UPDATE es.effects SET lease_until = NULL WHERE lease_until IS NOT NULL');
  await pool.query('UPDATE es.leases SET until = now()');
};

const toDueCommand = ({ stream_id, revision, payload, attempt, lease }: CommandRow): DueCommand | null => {
  const command = ProcessCommand.decode(payload.command);
  if (isLeft(command)) return null;
  return {
    streamId: stream_id,
    queuedRevision: Number(revision),
    command: command.right,
    attempt,
    correlationId: payload.correlationId,
    eventId: payload.eventId,
    traceparent: payload.traceparent,
    lease,
  };
};
