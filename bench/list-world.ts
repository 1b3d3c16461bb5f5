import { type Pool } from 'pg';
import { createPostgresTelemetryStore } from '../adapters/postgres/postgres-telemetry-store';
import { instancesProjection } from '../projections/instances';
import { readSchemaOf } from '../projections/projection-tables';

export const INSTANCES = 20_000;
export const INSTANCES_TABLE = `${readSchemaOf(instancesProjection)}.instances`;
/** The number of resources per owner follows a long-tail distribution. */
export const OWNERS = 400;

/** Fills the read model as years of use would: resources in all states, and owners with many and with few resources. */
export const fillReadModel = async (pool: Pool): Promise<void> => {
  await pool.query(`INSERT INTO ${INSTANCES_TABLE}
      (id, snapshot_id, snapshot_name, mapping_id, mapping_name, mapping_version, owner_username, wrapper_type, name,
       description, url_slug, reported_url, pod_name, status, error_code, error_message, ttl, inactivity_timeout,
       expires_at, cpu_cores, access_mode, access_users, memory_bytes, created_at, updated_at, started_at)
    SELECT n, n, 'Snapshot of mapping ' || n % ${INSTANCES} + 1, n % ${INSTANCES} + 1, 'mapping ' || n % ${INSTANCES} + 1,
      1, ${owner}, CASE WHEN n % 3 = 0 THEN 'graphdb_b' ELSE 'graphdb_a' END, ${name},
      'Looks at ' || md5(n::text), 'slug-' || n, 'http://127.0.0.1/slug-' || n, 'graph-slug-' || n, ${status},
      NULL, NULL, 'P7D', 'P3D', now() + interval '7 days', 2, ${accessMode}, '{}', 4 * 1024 ^ 3, ${created}, ${created}, ${created}
    FROM generate_series(1, ${INSTANCES}) n`);
  // Every second instance has reported.
  await pool.query(`INSERT INTO telemetry.instance_metrics (instance_id, data)
    SELECT n, jsonb_build_object('memory_usage_bytes', (random() * 4e9)::bigint, 'disk_usage_bytes', 1000,
      'last_activity_at', to_char(now() - random() * interval '20 hours', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM generate_series(2, ${INSTANCES}, 2) n`);
  await pool.query('VACUUM ANALYZE');
};

/** Changes the read model as an event and a report of a pod do. */
export const changeInstances = async (pool: Pool): Promise<void> => {
  await pool.query(
    `UPDATE ${INSTANCES_TABLE} SET status = CASE status WHEN 'running' THEN 'stopping' ELSE 'running' END WHERE id = $1`,
    [randomInstance()],
  );
  const report = { memory_usage_bytes: Math.floor(Math.random() * 4e9), last_activity_at: new Date().toISOString() };
  await createPostgresTelemetryStore(pool).saveMetrics(randomInstance(), report);
};

export const randomInstance = (): number => 1 + Math.floor(Math.random() * INSTANCES);

const owner = `'user-' || floor(${OWNERS} * (n * 0.6180339887 - floor(n * 0.6180339887)) ^ 2)::int`;
const name = `(ARRAY['fraud','churn','supply','social','credit','claims','travel'])[1 + n % 7] || ' ring ' || n`;
/** Every tenth instance is accessible to its owner only. */
const accessMode = `CASE WHEN n % 10 = 0 THEN 'owner' ELSE 'everyone' END`;
const created = `now() - (n % 72000) * interval '1 second'`;
const status = `(ARRAY['running','failed','running','waiting_for_snapshot','running','starting','stopping','failed'])[1 + n % 8]`;
