import { type EventOf, type Projection, type TableWriter } from './projection';

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
      -- The trigger that no run has fulfilled yet.
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
    JobRunSucceeded: (event, tables) => endRun(event, tables, 'last_success_at = $3, consecutive_failures = 0'),
    JobRunFailed: (event, tables) =>
      endRun(event, tables, 'last_failure_at = $3, consecutive_failures = consecutive_failures + 1'),
  },
};

const endRun = async (
  { data: { jobName, trigger }, metadata }: EventOf<'JobRunSucceeded' | 'JobRunFailed'>,
  tables: TableWriter,
  outcome: string,
): Promise<void> => {
  await tables.sql('INSERT INTO jobs (name) VALUES ($1) ON CONFLICT DO NOTHING', [jobName]);
  await tables.sql(
    `UPDATE jobs SET ${outcome}, open_trigger = CASE WHEN open_trigger <= $2 THEN NULL ELSE open_trigger END
     WHERE name = $1`,
    [jobName, trigger, metadata.occurredAt],
  );
};
