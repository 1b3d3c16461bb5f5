/**
 * Schema `telemetry`: the latest reports of pods and workers. They are not derived from events, so rebuilds do not
 * change them. ISO 8601 times in UTC sort as text.
 */
export const telemetryTables = `
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
