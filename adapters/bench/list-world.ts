import { type Pool } from 'pg';

export const INSTANCES = 100_000;
export const MAPPINGS = 20_000;
const VERSIONS = 5;
/** What follows instances is slow within one long transaction. */
const BATCH = 2000;
/** People own different amounts: the n-th has about as many as the n-th share of a long tail. */
export const OWNERS = 400;

/** Fills the read models as years of use would: resources of all states, owners with much and with little. */
export const fillReadModels = async (pool: Pool): Promise<void> => {
  await pool.query(`INSERT INTO read.mappings
      (id, owner_username, name, description, current_version, ttl, inactivity_timeout, created_at, updated_at)
    SELECT n, ${owner}, ${name} || ' map', 'Made of table ' || n % 977, ${VERSIONS}, NULL, 'P30D', ${created}, ${created}
    FROM generate_series(1, ${MAPPINGS}) n`);
  await pool.query(`INSERT INTO read.mapping_versions
      (mapping_id, version, change_description, node_definitions, edge_definitions, created_at, created_by, created_by_name)
    SELECT n, v, CASE WHEN v > 1 THEN 'Change ' || v END, ${DEFINITIONS}, '[]', ${created}, ${owner}, ${owner}
    FROM generate_series(1, ${MAPPINGS}) n, generate_series(1, ${VERSIONS}) v`);
  for (let first = 1; first <= INSTANCES; first += BATCH) {
    await pool.query(`INSERT INTO read.instances
      (id, snapshot_id, snapshot_name, mapping_id, mapping_name, mapping_version, owner_username, wrapper_type, name,
       description, url_slug, instance_url, pod_name, status, error_code, error_message, ttl, inactivity_timeout,
       expires_at, cpu_cores, memory_bytes, created_at, updated_at, started_at)
    SELECT n, n, 'Snapshot of mapping ' || n % ${MAPPINGS} + 1, n % ${MAPPINGS} + 1, 'mapping ' || n % ${MAPPINGS} + 1,
      n % ${VERSIONS} + 1, ${owner}, CASE WHEN n % 3 = 0 THEN 'graphdb_b' ELSE 'graphdb_a' END, ${name},
      'Looks at ' || md5(n::text), 'slug-' || n, 'http://127.0.0.1/slug-' || n, 'graph-slug-' || n, ${status},
      NULL, NULL, 'P7D', 'P3D', now() + interval '7 days', 2, 4 * 1024 ^ 3, ${created}, ${created}, ${created}
    FROM generate_series(${first}, ${first + BATCH - 1}) n`);
  }
  await pool.query(`INSERT INTO telemetry.instance_metrics (instance_id, data)
    SELECT n, jsonb_build_object('memory_usage_bytes', (random() * 4e9)::bigint, 'disk_usage_bytes', 1000,
      'last_activity_at', to_char(now() - random() * interval '20 hours', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM generate_series(1, ${INSTANCES}) n WHERE n % 2 = 0`);
  await pool.query('VACUUM ANALYZE');
};

/** What an event and a report of a pod do to the read models: a status changes, and the kept totals are not valid any more. */
export const changeInstances = async (pool: Pool): Promise<void> => {
  const [instance, reporting] = [
    1 + Math.floor(Math.random() * INSTANCES),
    2 * Math.floor(Math.random() * (INSTANCES / 2)),
  ];
  await pool.query(
    `WITH moved AS (UPDATE es.subscriptions SET repairs = repairs + 1 WHERE name = 'instances')
     UPDATE read.instances SET status = CASE status WHEN 'running' THEN 'stopping' ELSE 'running' END WHERE id = $1`,
    [instance],
  );
  await pool.query(
    `UPDATE telemetry.instance_metrics SET data = data || jsonb_build_object('memory_usage_bytes', $2::bigint)
     WHERE instance_id = $1`,
    [reporting, Math.floor(Math.random() * 4e9)],
  );
};

const owner = `'user-' || floor(${OWNERS} * (n * 0.6180339887 - floor(n * 0.6180339887)) ^ 2)::int`;
const name = `(ARRAY['fraud','churn','supply','social','credit','claims','travel'])[1 + n % 7] || ' ring ' || n`;
const created = `now() - (n % 72000) * interval '1 second'`;
const status = `(ARRAY['running','failed','running','waiting_for_snapshot','running','starting','stopping','failed'])[1 + n % 8]`;

const DEFINITIONS = `'[{"label":"Person","sql":"SELECT id, name FROM bank.main.people","primary_key":{"name":"id","type":"INT64"},"properties":[{"name":"name","type":"STRING"}]}]'::jsonb`;
