import { type Migration } from './migration';

/**
 * Counts what changes the reports of instances, so that what was sorted by them can be kept until one comes. Whoever saves
 * reports does so in one statement per transaction: two would wait for each other.
 */
export const countedReports: Migration = {
  id: 15,
  name: 'counted reports',
  sql: `
CREATE TABLE telemetry.instance_metrics_changes (count bigint NOT NULL);
INSERT INTO telemetry.instance_metrics_changes VALUES (0);
CREATE FUNCTION telemetry.count_measures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE telemetry.instance_metrics_changes SET count = count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER count_measures AFTER INSERT OR UPDATE ON telemetry.instance_metrics
  FOR EACH STATEMENT EXECUTE FUNCTION telemetry.count_measures();
`,
};
