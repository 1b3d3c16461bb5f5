import { type Migration } from './migration';

/** The latest progress of exports, as workers report it. */
export const snapshotProgressTable: Migration = {
  id: 9,
  name: 'snapshot progress table',
  sql: `
CREATE TABLE telemetry.snapshot_progress (
  snapshot_id bigint PRIMARY KEY,
  data jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
`,
};
