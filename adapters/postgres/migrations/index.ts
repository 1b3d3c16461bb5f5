import { appendFunction } from './append-function';
import { eventStoreTables } from './event-store-tables';
import { schemaCacheTables } from './schema-cache-tables';

/**
 * Schema `telemetry`: the latest reports of pods and workers. They are not derived from events, so rebuilds do not
 * change them. ISO 8601 times in UTC sort as text.
 */
const telemetryTables = `
CREATE SCHEMA telemetry;
CREATE TABLE telemetry.instance_progress (
  instance_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE telemetry.instance_metrics (
  instance_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  memory_usage_bytes bigint GENERATED ALWAYS AS ((data ->> 'memory_usage_bytes')::bigint) STORED,
  disk_usage_bytes bigint GENERATED ALWAYS AS ((data ->> 'disk_usage_bytes')::bigint) STORED,
  last_activity_at text COLLATE "C" GENERATED ALWAYS AS (data ->> 'last_activity_at') STORED
);

-- The states of an instance's progress as they were shown, so that a broken stream of them can resume.
CREATE TABLE telemetry.progress_journal (
  instance_id bigint NOT NULL,
  seq bigint NOT NULL,
  view jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (instance_id, seq)
);
CREATE INDEX ON telemetry.progress_journal (recorded_at);

CREATE TABLE telemetry.snapshot_progress (
  snapshot_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
`;

/**
 * The holder of the lease of the background jobs, and the times of their last and next runs. Their history is in the
 * streams `job-<name>`.
 */
const jobTables = `
CREATE TABLE es.leases (
  name text PRIMARY KEY,
  owner text NOT NULL,
  -- Rises whenever the lease is taken.
  epoch bigint NOT NULL,
  until timestamptz NOT NULL,
  -- Since when it is held without a break.
  since timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE es.job_progress (
  job_name text PRIMARY KEY,
  running_since timestamptz,
  last_started_at timestamptz,
  last_success_at timestamptz,
  next_run_at timestamptz
);

-- The latest runs of each job.
CREATE TABLE es.job_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_name text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  triggered_by text,
  result jsonb,
  error jsonb
);
CREATE INDEX ON es.job_runs (job_name, id);
`;

/**
 * `es.index_text(table, column)` indexes a column of the current schema for `ILIKE '%text%'`. It needs the extension
 * `pg_trgm`, which PostgreSQL ships and owners of a database may create; without it, searches scan the whole table and
 * stay correct.
 */
const textSearch = `
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not there, searches read whole tables: %', SQLERRM;
END $$;

CREATE FUNCTION es.index_text(table_name text, column_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home name := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                WHERE e.extname = 'pg_trgm');
BEGIN
  IF home IS NOT NULL THEN
    EXECUTE format('CREATE INDEX ON %I USING gin (%I %I.gin_trgm_ops)', table_name, column_name, home);
  END IF;
END $$;
`;

/** One step of the schema. A released step is never changed; each change is a new step. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The newest step that a program must know to run on a database after this step; absent: this step only adds, and
   * older programs can run. A step that removes or renames is released one version after the last program that uses the
   * removed objects, and names the step that this program knows.
   */
  readonly requires?: number;
}

/** Creates the whole schema in an empty database. */
const baseline: Migration = {
  id: 16,
  name: 'baseline',
  sql: [eventStoreTables, appendFunction, jobTables, telemetryTables, schemaCacheTables, textSearch].join('\n'),
};

/**
 * Log and read models can diverge: when one of two stores is restored alone, or a copy of the log replaces it. So every
 * log has an id, and the read models record which log they follow. Both tables have at most one row.
 */
const followedLogTables = `
-- The id of the log in es.events.
CREATE TABLE es.log_identity (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  log_id text NOT NULL
);

-- The log that the checkpoints in es.subscriptions are positions of, and a copy of it that has not ended yet.
CREATE TABLE es.followed_log (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  store text NOT NULL,
  log_id text NOT NULL,
  copy_store text,
  copy_log_id text,
  CHECK ((copy_store IS NULL) = (copy_log_id IS NULL))
);
`;

/** Renames singleton streams to the form `<category>-<id>` of all others. */
const toNewName = (table: string, column: string): string => `
UPDATE es.${table} SET ${column} = ${column} || '-cluster'
WHERE ${column} IN ('capacity', 'config', 'ops_guard', 'user_bootstrap');`;

const streamNames = [
  toNewName('events', 'stream_id'),
  toNewName('streams', 'stream_id'),
  toNewName('parked', 'stream_id'),
  toNewName('parked', 'event_stream_id'),
].join('\n');

/**
 * The table for test writes by which a control plane detects that PostgreSQL can write again: one row, never
 * compressed.
 */
const writeTrialTable = `
CREATE TABLE IF NOT EXISTS es.write_trial (content bytea NOT NULL);
ALTER TABLE es.write_trial ALTER COLUMN content SET STORAGE EXTERNAL;
`;

const telemetryIndexes = `
CREATE INDEX IF NOT EXISTS instance_metrics_memory ON telemetry.instance_metrics (memory_usage_bytes, instance_id);
CREATE INDEX IF NOT EXISTS instance_metrics_activity ON telemetry.instance_metrics (last_activity_at, instance_id);
`;

/** The polls of export jobs: the columns of the read model that have changed since their query was submitted. */
const exportPollsTable = `
CREATE TABLE IF NOT EXISTS es.export_polls (
  job_id bigint NOT NULL,
  attempt integer NOT NULL,
  columns jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, attempt)
);
`;

/** Every step, in order. */
export const migrations: readonly [Migration, ...Migration[]] = [
  baseline,
  { id: 17, name: 'the log that the read models follow', sql: followedLogTables },
  { id: 18, name: 'names of streams', sql: streamNames },
  // Why a catalog could not be read in full when it was read last.
  {
    id: 19,
    name: 'problems of catalogs',
    sql: 'ALTER TABLE schema_cache.catalogs ADD COLUMN IF NOT EXISTS problem text;',
  },
  { id: 20, name: 'notifications that name a position', sql: appendFunction },
  { id: 21, name: 'trials of writing', sql: writeTrialTable },
  { id: 22, name: 'no journal of progress', sql: 'DROP TABLE IF EXISTS telemetry.progress_journal;' },
  { id: 23, name: 'lists in the order of reports', sql: telemetryIndexes },
  { id: 24, name: 'read models by version', sql: 'DROP SCHEMA IF EXISTS read CASCADE;', requires: 24 },
  {
    id: 25,
    name: 'attempts to fire timers',
    sql: 'ALTER TABLE es.timers ADD COLUMN IF NOT EXISTS attempt integer NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS retry_at timestamptz;',
  },
  { id: 26, name: 'polls of export jobs', sql: exportPollsTable },
];
