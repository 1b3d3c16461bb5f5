/**
 * What lists of instances are read from, kept by triggers on the table `instances`, so that no handler has to think of it:
 *
 * - `instances.listed` and `instance_measures.reported`: the two halves of an instance's JSON in a list. Made when a row
 *   changes, because it is read far more often.
 * - `instance_texts`: name, and name and description in lower case with U+0001 between them. A table of its own, because
 *   a search reads much of it and because its index is slow to change.
 * - `instance_measures`: what pods report, beside what lists filter by, so that filter and order come from one index.
 *   A trigger on `telemetry.instance_metrics`, where the reports are kept, writes it through the view.
 * - `instance_counts` and `instance_minutes`: how many instances there are by owner and status, and by minute of creation.
 */
export const INSTANCE_LISTING = `
    CREATE FUNCTION utc(at timestamptz) RETURNS text LANGUAGE sql AS
      $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

    ALTER TABLE instances ADD COLUMN listed text NOT NULL;
    CREATE FUNCTION tell_instance() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      SELECT left(row_to_json(i)::text, -1) INTO NEW.listed
      FROM (SELECT NEW.id, NEW.snapshot_id, NEW.snapshot_name, NEW.owner_username, NEW.wrapper_type, NEW.name,
        NEW.description, NEW.instance_url, NEW.status, NEW.error_code, NEW.error_message,
        utc(NEW.created_at) AS created_at, utc(NEW.started_at) AS started_at, utc(NEW.expires_at) AS expires_at,
        NEW.ttl, NEW.inactivity_timeout, NEW.cpu_cores) i;
      RETURN NEW;
    END $$;
    CREATE TRIGGER tell_instance BEFORE INSERT OR UPDATE ON instances FOR EACH ROW EXECUTE FUNCTION tell_instance();

    CREATE TABLE instance_texts (
      id bigint PRIMARY KEY,
      name text NOT NULL,
      searched text COLLATE "C" NOT NULL
    );
    SELECT es.index_text('instance_texts', 'searched');
    CREATE FUNCTION keep_text() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM instance_texts WHERE id = OLD.id;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO instance_texts VALUES (NEW.id, NEW.name, lower(NEW.name) || chr(1) || lower(NEW.description));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_text AFTER INSERT OR DELETE OR UPDATE OF name, description ON instances
      FOR EACH ROW EXECUTE FUNCTION keep_text();

    CREATE TABLE instance_measures (
      id bigint PRIMARY KEY,
      owner_username text NOT NULL,
      status text NOT NULL,
      created_at timestamptz NOT NULL,
      memory_usage_bytes bigint,
      disk_usage_bytes bigint,
      last_activity_at text COLLATE "C",
      reported text NOT NULL GENERATED ALWAYS AS (
        ',"last_activity_at":' || coalesce('"' || last_activity_at || '"', 'null') ||
        ',"memory_usage_bytes":' || coalesce(memory_usage_bytes::text, 'null') ||
        ',"disk_usage_bytes":' || coalesce(disk_usage_bytes::text, 'null') || '}') STORED
    );
    CREATE INDEX ON instance_measures (owner_username);
    ${['memory_usage_bytes', 'last_activity_at']
      .flatMap((measure) => [`${measure}, id`, `${measure} DESC NULLS LAST, id DESC`])
      .map(
        (order) =>
          `CREATE INDEX ON instance_measures (${order}); CREATE INDEX ON instance_measures (status, ${order});`,
      )
      .join('\n    ')}
    CREATE TABLE instance_counts (
      owner_username text,
      status text,
      count bigint NOT NULL,
      PRIMARY KEY (owner_username, status)
    );
    CREATE TABLE instance_minutes (minute timestamptz PRIMARY KEY, count bigint NOT NULL);

    CREATE FUNCTION follow_instance() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE instance_counts SET count = count - 1 WHERE owner_username = OLD.owner_username AND status = OLD.status;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO instance_counts AS c VALUES (NEW.owner_username, NEW.status, 1)
        ON CONFLICT (owner_username, status) DO UPDATE SET count = c.count + 1;
      END IF;
      CASE TG_OP
        WHEN 'INSERT' THEN
          INSERT INTO instance_minutes AS m VALUES (date_trunc('minute', NEW.created_at, 'UTC'), 1)
          ON CONFLICT (minute) DO UPDATE SET count = m.count + 1;
          INSERT INTO instance_measures (id, owner_username, status, created_at)
          VALUES (NEW.id, NEW.owner_username, NEW.status, NEW.created_at);
        WHEN 'UPDATE' THEN
          UPDATE instance_measures SET status = NEW.status WHERE id = NEW.id;
        WHEN 'DELETE' THEN
          UPDATE instance_minutes SET count = count - 1 WHERE minute = date_trunc('minute', OLD.created_at, 'UTC');
          DELETE FROM instance_minutes WHERE minute = date_trunc('minute', OLD.created_at, 'UTC') AND count = 0;
          DELETE FROM instance_measures WHERE id = OLD.id;
      END CASE;
      RETURN NULL;
    END $$;
    CREATE TRIGGER follow_instance AFTER INSERT OR DELETE ON instances FOR EACH ROW EXECUTE FUNCTION follow_instance();
    CREATE TRIGGER follow_status AFTER UPDATE ON instances FOR EACH ROW
      WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION follow_instance();`;

/** Takes over the reports that came in while these tables were being filled; those that come wait for the views. */
export const TAKE_OVER_REPORTS = `
    UPDATE instance_measures AS i
    SET memory_usage_bytes = m.memory_usage_bytes, disk_usage_bytes = m.disk_usage_bytes,
      last_activity_at = m.last_activity_at
    FROM telemetry.instance_metrics AS m
    WHERE m.instance_id = i.id AND (i.memory_usage_bytes, i.disk_usage_bytes, i.last_activity_at)
      IS DISTINCT FROM (m.memory_usage_bytes, m.disk_usage_bytes, m.last_activity_at)`;
