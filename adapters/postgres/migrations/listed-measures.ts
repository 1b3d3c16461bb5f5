import { type Migration } from './migration';

/** Brings each report to the read model that lists of instances are read from. */
export const listedMeasures: Migration = {
  id: 13,
  name: 'listed measures',
  sql: `
ALTER TABLE telemetry.instance_metrics
  ADD COLUMN disk_usage_bytes bigint GENERATED ALWAYS AS ((data ->> 'disk_usage_bytes')::bigint) STORED;
DROP INDEX telemetry.instance_metrics_memory_usage_bytes_instance_id_idx;
DROP INDEX telemetry.instance_metrics_last_activity_at_instance_id_idx;

CREATE FUNCTION telemetry.list_measures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Until the read model is there, its first version takes over what was reported.
  IF to_regclass('read.instance_measures') IS NOT NULL THEN
    UPDATE read.instance_measures
    SET memory_usage_bytes = NEW.memory_usage_bytes, disk_usage_bytes = NEW.disk_usage_bytes,
      last_activity_at = NEW.last_activity_at
    WHERE id = NEW.instance_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER list_measures AFTER INSERT OR UPDATE ON telemetry.instance_metrics
  FOR EACH ROW EXECUTE FUNCTION telemetry.list_measures();
`,
};
