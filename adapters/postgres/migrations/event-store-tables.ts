/**
 * Schema `es`: the log and related tables. It is never dropped: everything else can be rebuilt from it.
 *
 * Names of streams are compared by code point (`COLLATE "C"`), so that prefix searches use the index in every database.
 */
export const eventStoreTables = `
CREATE TABLE es.events (
  position bigint PRIMARY KEY,
  stream_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  schema_version integer NOT NULL,
  data jsonb NOT NULL,
  metadata jsonb NOT NULL,
  recorded_at timestamptz NOT NULL,
  UNIQUE (stream_id, revision)
);
CREATE INDEX events_by_id ON es.events (id);

-- The last revision of every stream.
CREATE TABLE es.streams (
  stream_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL
);

-- Where every projection and process stands. Moved by compare-and-set on position and epoch.
CREATE TABLE es.subscriptions (
  name text NOT NULL,
  version integer NOT NULL,
  position bigint NOT NULL DEFAULT 0,
  epoch bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (name, version)
);

-- Events a reader of the feed could not apply, and the later ones of the same stream.
CREATE TABLE es.parked (
  reader text NOT NULL,
  version integer NOT NULL,
  epoch bigint NOT NULL,
  -- What is held back: the event's own stream, for the processes the stream of the process.
  stream_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  event_stream_id text COLLATE "C" NOT NULL,
  event_revision bigint NOT NULL,
  event_type text NOT NULL,
  -- Why it could not be applied; null: it waits for an earlier event of the stream.
  error text,
  attempts integer NOT NULL DEFAULT 0,
  parked_at timestamptz NOT NULL DEFAULT now(),
  last_failed_at timestamptz,
  PRIMARY KEY (reader, version, epoch, stream_id, position)
);

CREATE TABLE es.timers (
  stream_id text COLLATE "C" NOT NULL,
  timer_id text NOT NULL,
  due_at timestamptz NOT NULL,
  payload jsonb NOT NULL,
  -- Attempts to fire it, and the time of the next one.
  attempt integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  PRIMARY KEY (stream_id, timer_id)
);
CREATE INDEX timers_by_due_time ON es.timers (due_at);

-- Calls to the outside that processes have decided and that are still to be made.
CREATE TABLE es.effects (
  stream_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  idx integer NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  PRIMARY KEY (stream_id, revision, idx)
);
CREATE INDEX effects_by_due_time ON es.effects (due_at);

-- Answers already given, by Idempotency-Key. A repeated request is the same command, and gets the same ids.
CREATE TABLE es.idempotency (
  scope text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status integer,
  body jsonb,
  headers jsonb,
  command_id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  held_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON es.idempotency (created_at);
CREATE TABLE es.command_ids (
  command_id uuid NOT NULL,
  kind text NOT NULL,
  ids bigint[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (command_id, kind)
);
CREATE INDEX command_ids_by_age ON es.command_ids (created_at);

-- The polls of export jobs: the columns of the read model that have changed since their query was submitted.
CREATE TABLE es.export_polls (
  job_id bigint NOT NULL,
  attempt integer NOT NULL,
  columns jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, attempt)
);

-- For test writes by which a control plane detects that PostgreSQL can write again: one row, never compressed.
CREATE TABLE es.write_trial (content bytea NOT NULL);
ALTER TABLE es.write_trial ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE SEQUENCE es.mapping_ids;
CREATE SEQUENCE es.snapshot_ids;
CREATE SEQUENCE es.export_job_ids;
CREATE SEQUENCE es.instance_ids;
`;
