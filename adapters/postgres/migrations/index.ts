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
CREATE INDEX instance_metrics_memory ON telemetry.instance_metrics (memory_usage_bytes, instance_id);
CREATE INDEX instance_metrics_activity ON telemetry.instance_metrics (last_activity_at, instance_id);
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

const tables = [eventStoreTables, followedLogTables, jobTables, telemetryTables, schemaCacheTables];

/** Every step, in order; the first one creates the whole schema in an empty database. */
export const migrations: readonly [Migration, ...Migration[]] = [
  { id: 26, name: 'baseline', sql: [...tables, appendFunction, textSearch].join('\n') },
  { id: 27, name: 'failed refreshes', sql: 'ALTER TABLE schema_cache.state ADD COLUMN last_failure jsonb' },
];
