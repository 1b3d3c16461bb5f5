import { type Migration } from './migration';

/** Reports go to the one row of an instance that lists are read from. */
export const listedReports: Migration = {
  id: 14,
  name: 'listed reports',
  sql: `
CREATE OR REPLACE FUNCTION telemetry.list_measures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Until the read model is there, its first version takes over what was reported.
  IF to_regclass('read.listed_instances') IS NOT NULL THEN
    UPDATE read.listed_instances
    SET memory_usage_bytes = NEW.memory_usage_bytes, disk_usage_bytes = NEW.disk_usage_bytes,
      last_activity_at = NEW.last_activity_at
    WHERE id = NEW.instance_id;
  END IF;
  RETURN NULL;
END $$;
`,
};
