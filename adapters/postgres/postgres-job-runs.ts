import { type Pool } from 'pg';
import { type JobRuns } from '../../domain/ports/job-runs';

/** Number of stored runs per job. */
const KEPT_RUNS = 100;

export const createPostgresJobRuns = (pool: Pool): JobRuns => ({
  takeOver: async (name, firstRunAt) => {
    const { rows } = await pool.query<{ last_started_at: Date | null; next_run_at: Date }>(
      `INSERT INTO es.job_progress AS p (job_name, next_run_at) VALUES ($1, $2)
       ON CONFLICT (job_name) DO UPDATE SET running_since = NULL, next_run_at = coalesce(p.next_run_at, $2)
       RETURNING last_started_at, next_run_at`,
      [name, firstRunAt],
    );
    return { lastStartedAt: rows[0]?.last_started_at ?? null, nextRunAt: rows[0]?.next_run_at ?? firstRunAt };
  },

  begin: async (name, startedAt, lease) => {
    const { rowCount } = await pool.query(
      `UPDATE es.job_progress SET running_since = $2, last_started_at = $2
       WHERE job_name = $1 AND EXISTS (SELECT FROM es.leases WHERE name = $3 AND epoch = $4 AND until > now())`,
      [name, startedAt, lease.name, lease.epoch],
    );
    return rowCount === 1;
  },

  end: async (name, { startedAt, endedAt, triggeredBy, outcome }, nextRunAt) => {
    const succeeded = outcome.kind === 'succeeded';
    const error = succeeded ? null : { code: outcome.errorCode, message: outcome.errorMessage };
    await pool.query(
      `WITH progress AS (
         UPDATE es.job_progress SET running_since = NULL, next_run_at = $2,
           last_success_at = CASE WHEN $3::jsonb IS NULL THEN last_success_at ELSE $4::timestamptz END
         WHERE job_name = $1
       ), outdated AS (
         DELETE FROM es.job_runs WHERE job_name = $1
           AND id <= (SELECT id FROM es.job_runs WHERE job_name = $1 ORDER BY id DESC OFFSET $8 - 1 LIMIT 1)
       )
       INSERT INTO es.job_runs (job_name, started_at, ended_at, triggered_by, result, error)
       VALUES ($1, $5, $4, $6, $3, $7)`,
      [
        name,
        nextRunAt,
        succeeded ? JSON.stringify(outcome.result) : null,
        endedAt,
        startedAt,
        triggeredBy,
        error === null ? null : JSON.stringify(error),
        KEPT_RUNS,
      ],
    );
  },
});
