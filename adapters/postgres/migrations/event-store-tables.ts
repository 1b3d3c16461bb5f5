import { type Migration } from './migration';

/**
 * Schema `es`: the log and what is kept beside it. It is never dropped: everything else can be built again from it.
 *
 * Names of streams compare by code point (`COLLATE "C"`), so that prefixes use the index in every database.
 */
export const eventStoreTables: Migration = {
  id: 1,
  name: 'event store tables',
  sql: `
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
CREATE INDEX events_by_time ON es.events (recorded_at);

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
  owner text,
  lease_until timestamptz,
  status text NOT NULL DEFAULT 'active',
  PRIMARY KEY (name, version)
);

-- Events a subscription could not handle, and the later ones of the same stream.
CREATE TABLE es.parked (
  name text NOT NULL,
  version integer NOT NULL,
  position bigint NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version, position)
);

CREATE TABLE es.timers (
  stream_id text COLLATE "C" NOT NULL,
  timer_id text NOT NULL,
  due_at timestamptz NOT NULL,
  payload jsonb NOT NULL,
  PRIMARY KEY (stream_id, timer_id)
);
CREATE INDEX timers_by_due_time ON es.timers (due_at);

-- Calls to the outside that processes have decided and somebody still has to make.
CREATE TABLE es.effects (
  stream_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  idx integer NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  owner text,
  PRIMARY KEY (stream_id, revision, idx)
);
CREATE INDEX effects_by_due_time ON es.effects (due_at);

-- Answers already given, by Idempotency-Key.
CREATE TABLE es.idempotency (
  scope text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status integer,
  body jsonb,
  headers jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON es.idempotency (created_at);

CREATE SEQUENCE es.mapping_ids;
CREATE SEQUENCE es.snapshot_ids;
CREATE SEQUENCE es.export_job_ids;
CREATE SEQUENCE es.instance_ids;
`,
};
