import { type JobEvent } from '../domain/job';
import { type Projection, type TableWriter } from './projection';

/** The background jobs: triggers, failures and recoveries. */
export const jobsProjection: Projection = {
  name: 'jobs',
  version: 1,
  tables: `
    CREATE TABLE jobs (
      name text PRIMARY KEY,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      consecutive_failures integer NOT NULL DEFAULT 0,
      -- The order no run has answered yet.
      open_trigger integer,
      triggered_at timestamptz,
      triggered_by text,
      trigger_reason text
    );`,
  exposes: ['jobs'],
  on: {
    JobTriggered: ({ data: { jobName, trigger, triggeredAt, triggeredBy, reason } }, tables) =>
      tables.sql(
        `INSERT INTO jobs (name, open_trigger, triggered_at, triggered_by, trigger_reason) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO UPDATE SET open_trigger = $2, triggered_at = $3, triggered_by = $4, trigger_reason = $5`,
        [jobName, trigger, triggeredAt, triggeredBy, reason],
      ),
    JobRunSucceeded: async ({ data, metadata }, tables) => {
      await endRun(tables, data);
      await tables.sql('UPDATE jobs SET last_success_at = $2, consecutive_failures = 0 WHERE name = $1', [
        data.jobName,
        metadata.occurredAt,
      ]);
    },
    JobRunFailed: async ({ data, metadata }, tables) => {
      await endRun(tables, data);
      await tables.sql(
        'UPDATE jobs SET last_failure_at = $2, consecutive_failures = consecutive_failures + 1 WHERE name = $1',
        [data.jobName, metadata.occurredAt],
      );
    },
  },
};

type RunData = Extract<JobEvent, { type: 'JobRunSucceeded' | 'JobRunFailed' }>['data'];

const endRun = async (tables: TableWriter, { jobName, trigger }: RunData): Promise<void> => {
  await tables.sql('INSERT INTO jobs (name) VALUES ($1) ON CONFLICT DO NOTHING', [jobName]);
  await tables.sql('UPDATE jobs SET open_trigger = NULL WHERE name = $1 AND open_trigger <= $2', [jobName, trigger]);
};
