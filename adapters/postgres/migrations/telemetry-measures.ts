import { type Migration } from './migration';

/** The measures instances are listed by, beside the reports they come from; ISO 8601 times in UTC sort as text. */
export const telemetryMeasures: Migration = {
  id: 4,
  name: 'telemetry measures',
  sql: `
ALTER TABLE telemetry.instance_metrics
  ADD COLUMN memory_usage_bytes bigint GENERATED ALWAYS AS ((data ->> 'memory_usage_bytes')::bigint) STORED,
  ADD COLUMN last_activity_at text COLLATE "C" GENERATED ALWAYS AS (data ->> 'last_activity_at') STORED;
CREATE INDEX ON telemetry.instance_metrics (memory_usage_bytes, instance_id);
CREATE INDEX ON telemetry.instance_metrics (last_activity_at, instance_id);
`,
};
