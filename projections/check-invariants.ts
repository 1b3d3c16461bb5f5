import { type Pool } from 'pg';
import { type Difference } from './compare-tables';

/** A rule across streams: a query over the replayed read models that returns what breaks it. */
interface Rule {
  readonly name: string;
  readonly expected: string;
  readonly sql: string;
}

const RULES: readonly Rule[] = [
  {
    name: 'versions',
    expected: 'every version of a mapping, from 1 to the current one',
    sql: `SELECT 'mapping ' || m.id AS key, array_agg(v.version ORDER BY v.version)::text AS actual
          FROM mappings m LEFT JOIN mapping_versions v ON v.mapping_id = m.id GROUP BY m.id
          HAVING count(v.version) <> m.current_version OR max(v.version) <> m.current_version`,
  },
  {
    name: 'snapshots',
    expected: 'the snapshot of an instance is for this instance, mapping and version',
    sql: `SELECT 'instance ' || i.id AS key, 'snapshot ' || s.id AS actual FROM instances i JOIN snapshots s ON s.id = i.snapshot_id
          WHERE (s.instance_id, s.mapping_id, s.mapping_version) <> (i.id, i.mapping_id, i.mapping_version)`,
  },
  {
    name: 'names',
    expected: 'the name of the snapshot',
    sql: `SELECT 'instance ' || i.id AS key, i.snapshot_name AS actual FROM instances i JOIN snapshots s ON s.id = i.snapshot_id
          WHERE s.name <> i.snapshot_name`,
  },
  {
    name: 'jobs',
    expected: 'completed, because the snapshot is ready',
    sql: `SELECT 'export job ' || j.id AS key, j.status AS actual FROM export_jobs j JOIN snapshots s ON s.id = j.snapshot_id
          WHERE s.status = 'ready' AND j.status <> 'completed'`,
  },
  {
    name: 'slots',
    expected: 'a slot of a living instance',
    sql: `SELECT 'instance ' || i.id AS key, i.status AS actual FROM instances i
          WHERE i.status IN ('waiting_for_snapshot', 'starting', 'running') AND NOT i.id = ANY ($1)`,
  },
  {
    name: 'slots',
    expected: 'an instance of the slot',
    sql: `SELECT 'instance ' || slot AS key, 'no instance' AS actual FROM unnest($2::bigint[]) slot
          WHERE NOT EXISTS (SELECT FROM instances WHERE id = slot)`,
  },
];

/** A slot may be reserved this long before its instance is requested, or kept after that was deleted. */
const SETTLED_AFTER_MS = 3_600_000;

/** Checks the rules across streams in a replayed schema. `slots`: the instances with a slot, and since when. */
export const checkInvariants = async (
  pool: Pool,
  schema: string,
  slots: ReadonlyMap<number, string>,
  now: Date,
): Promise<readonly Difference[]> => {
  const settled = [...slots].filter(([, since]) => now.getTime() - Date.parse(since) > SETTLED_AFTER_MS);
  const values = [[...slots.keys()], settled.map(([id]) => id)];
  const differences: Difference[] = [];
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL search_path TO ${schema}`);
    for (const { name, expected, sql } of RULES) {
      const used = values.filter((_, index) => sql.includes(`$${index + 1}`));
      const { rows } = await client.query<{ key: string; actual: string }>(sql.replace('$2', '$1'), used);
      for (const { key, actual } of rows) {
        differences.push({ kind: 'invariant', read_model: null, key, column: name, expected, actual });
      }
    }
    return differences;
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
};
