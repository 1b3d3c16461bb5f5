/**
 * What lists of instances are read from, kept by triggers on the table `instances`, so that no handler has to think of it:
 *
 * - `listed_instances`: all that lists filter and sort by, and the two halves of an instance's JSON: what events tell and
 *   what pods report. In one row, because a page then takes one walk along one index. Made when something changes,
 *   because it is read far more often. A trigger on `telemetry.instance_metrics`, where reports are kept, writes them
 *   through the view.
 * - `instance_texts`: name, time, and name and description in lower case with U+0001 between them. A table of its own, because
 *   its index is slow to change. `instance_texts_changes` counts its changes.
 * - `instance_counts` and `instance_minutes`: how many instances there are by owner and status ('' for any), and by minute
 *   of creation.
 */
export const LISTING_TABLES = [
  'listed_instances',
  'instance_texts',
  'instance_texts_changes',
  'instance_counts',
  'instance_minutes',
];

const ORDERS = ['name', 'created_at', 'status'];
const MEASURES = ['memory_usage_bytes', 'last_activity_at'];

/** Where nulls come last in both directions, two indexes are needed. */
const orders = [
  ...ORDERS.map((order) => `${order}, id`),
  ...MEASURES.flatMap((measure) => [`${measure}, id`, `${measure} DESC NULLS LAST, id DESC`]),
];
/** Every order alone, with the dates that it is often asked with, of one owner and in one status. */
const INDEXES = [
  ...orders.map((order) => `(${order})${order.startsWith('created_at') ? '' : ' INCLUDE (created_at)'}`),
  ...orders.map((order) => `(owner_username, ${order})`),
  ...orders.filter((order) => !order.startsWith('status')).map((order) => `(status, ${order})`),
].map((index) => `CREATE INDEX ON listed_instances ${index};`);

const count = (changes: string): string => `
      INSERT INTO instance_counts AS c
      SELECT coalesce(owner, ''), coalesce(state, ''), sum(change)
      FROM ${changes} AS changes (owner, state, change)
      GROUP BY CUBE (owner, state) HAVING sum(change) <> 0
      ON CONFLICT (owner_username, status) DO UPDATE SET count = c.count + excluded.count;`;

export const INSTANCE_LISTING = `
    CREATE TABLE listed_instances (
      id bigint NOT NULL,
      snapshot_id bigint,
      owner_username text NOT NULL,
      status text NOT NULL,
      name text NOT NULL,
      searched text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      memory_usage_bytes bigint,
      disk_usage_bytes bigint,
      last_activity_at text COLLATE "C",
      told text NOT NULL,
      reported text NOT NULL GENERATED ALWAYS AS (
        ',"last_activity_at":' || coalesce('"' || last_activity_at || '"', 'null') ||
        ',"memory_usage_bytes":' || coalesce(memory_usage_bytes::text, 'null') ||
        ',"disk_usage_bytes":' || coalesce(disk_usage_bytes::text, 'null') || '}') STORED
    );
    ALTER TABLE listed_instances ADD PRIMARY KEY (id) INCLUDE (status, memory_usage_bytes, last_activity_at);
    CREATE INDEX ON listed_instances (snapshot_id);
    ${INDEXES.join('\n    ')}

    CREATE FUNCTION utc(at timestamptz) RETURNS text LANGUAGE sql AS
      $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
    CREATE FUNCTION tell(i instances) RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
      SELECT left(row_to_json(t)::text, -1)
      FROM (SELECT i.id, i.snapshot_id, i.snapshot_name, i.owner_username, i.wrapper_type, i.name,
        i.description, i.instance_url, i.status, i.error_code, i.error_message,
        utc(i.created_at) AS created_at, utc(i.started_at) AS started_at, utc(i.expires_at) AS expires_at,
        i.ttl, i.inactivity_timeout, i.cpu_cores) t $$;
    CREATE FUNCTION searchable(i instances) RETURNS text LANGUAGE sql AS
      $$ SELECT lower(i.name) || chr(1) || lower(i.description) $$;

    CREATE FUNCTION list_instance() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      CASE TG_OP
        WHEN 'INSERT' THEN
          INSERT INTO listed_instances (id, snapshot_id, owner_username, status, name, searched, created_at, told)
          VALUES (NEW.id, NEW.snapshot_id, NEW.owner_username, NEW.status, NEW.name, searchable(NEW), NEW.created_at,
            tell(NEW));
        WHEN 'UPDATE' THEN
          UPDATE listed_instances
          SET snapshot_id = NEW.snapshot_id, status = NEW.status, name = NEW.name, searched = searchable(NEW),
            told = tell(NEW)
          WHERE id = NEW.id;
        WHEN 'DELETE' THEN
          DELETE FROM listed_instances WHERE id = OLD.id;
      END CASE;
      RETURN NULL;
    END $$;
    CREATE TRIGGER list_instance AFTER INSERT OR DELETE OR UPDATE ON instances
      FOR EACH ROW EXECUTE FUNCTION list_instance();

    CREATE TABLE instance_texts (
      id bigint PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      searched text COLLATE "C" NOT NULL
    );
    SELECT es.index_text('instance_texts', 'searched');
    CREATE TABLE instance_texts_changes (count bigint NOT NULL);
    INSERT INTO instance_texts_changes VALUES (0);
    CREATE FUNCTION keep_text() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM instance_texts WHERE id = OLD.id;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO instance_texts VALUES (NEW.id, NEW.name, NEW.created_at, searchable(NEW));
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_text AFTER INSERT OR DELETE OR UPDATE OF name, description ON instances
      FOR EACH ROW EXECUTE FUNCTION keep_text();
    CREATE FUNCTION count_text_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      UPDATE instance_texts_changes SET count = count + 1;
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_text_change AFTER INSERT OR DELETE OR UPDATE OF name, description ON instances
      FOR EACH STATEMENT EXECUTE FUNCTION count_text_change();

    CREATE TABLE instance_counts (
      owner_username text,
      status text,
      count bigint NOT NULL,
      PRIMARY KEY (owner_username, status)
    );
    CREATE TABLE instance_minutes (minute timestamptz PRIMARY KEY, count bigint NOT NULL);
    CREATE FUNCTION count_new() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      ${count('(SELECT owner_username, status, 1 AS change FROM came)')}
      INSERT INTO instance_minutes AS m SELECT date_trunc('minute', created_at, 'UTC'), count(*) FROM came GROUP BY 1
      ON CONFLICT (minute) DO UPDATE SET count = m.count + excluded.count;
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_new AFTER INSERT ON instances REFERENCING NEW TABLE AS came
      FOR EACH STATEMENT EXECUTE FUNCTION count_new();
    CREATE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      ${count('(SELECT owner_username, status, -1 AS change FROM went)')}
      UPDATE instance_minutes AS m SET count = m.count - g.count
      FROM (SELECT date_trunc('minute', created_at, 'UTC') AS minute, count(*) FROM went GROUP BY 1) AS g
      WHERE m.minute = g.minute;
      DELETE FROM instance_minutes
      WHERE count = 0 AND minute IN (SELECT date_trunc('minute', created_at, 'UTC') FROM went);
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_gone AFTER DELETE ON instances REFERENCING OLD TABLE AS went
      FOR EACH STATEMENT EXECUTE FUNCTION count_gone();
    CREATE FUNCTION count_moved() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      ${count('(VALUES (OLD.owner_username, OLD.status, -1), (NEW.owner_username, NEW.status, 1))')}
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_moved AFTER UPDATE ON instances FOR EACH ROW
      WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION count_moved();`;

/** Takes over the reports that came in while these tables were being filled; those that come wait for the views. */
export const TAKE_OVER_REPORTS = `
    UPDATE listed_instances AS i
    SET memory_usage_bytes = m.memory_usage_bytes, disk_usage_bytes = m.disk_usage_bytes,
      last_activity_at = m.last_activity_at
    FROM telemetry.instance_metrics AS m
    WHERE m.instance_id = i.id AND (i.memory_usage_bytes, i.disk_usage_bytes, i.last_activity_at)
      IS DISTINCT FROM (m.memory_usage_bytes, m.disk_usage_bytes, m.last_activity_at)`;
