import { type Migration } from './migration';

/** Schema `telemetry`: the latest reports of instances. Not history, so it is in no event, and no rebuild touches it. */
export const telemetryTables: Migration = {
  id: 3,
  name: 'telemetry tables',
  sql: `
CREATE SCHEMA telemetry;
CREATE TABLE telemetry.instance_progress (
  instance_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE telemetry.instance_metrics (
  instance_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
`,
};
