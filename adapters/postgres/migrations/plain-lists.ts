import { type Migration } from './migration';

/**
 * Lists of instances read the rows of the projection: nothing follows them or the reports by triggers, and nothing is kept of a read
 * model until it changes.
 */
export const plainLists: Migration = {
  id: 16,
  name: 'plain lists',
  sql: `
DROP TRIGGER list_measures ON telemetry.instance_metrics;
DROP TRIGGER count_measures ON telemetry.instance_metrics;
DROP FUNCTION telemetry.list_measures();
DROP FUNCTION telemetry.count_measures();
DROP TABLE telemetry.instance_metrics_changes;
DROP VIEW IF EXISTS read.listed_instances, read.instance_measures, read.instance_texts, read.instance_texts_changes,
  read.instance_counts, read.instance_minutes;
ALTER TABLE es.subscriptions DROP COLUMN repairs;
`,
};
