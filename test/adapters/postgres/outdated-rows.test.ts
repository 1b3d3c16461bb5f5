import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { pino } from 'pino';
import { deleteOutdatedRows, startRetention } from '../../../adapters/postgres/outdated-rows';
import { packageRoot } from '../../../adapters/system/package-root';
import { ShutdownSteps } from '../../../adapters/system/shutdown-steps';
import { instancesProjection } from '../../../projections/instances';
import { prepareProjections, readSchemaOf } from '../../../projections/projection-tables';
import { projections } from '../../../projections/registry';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool({ connectionString: database.connectionString });
  await prepareProjections(pool, projections);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const rows = async <R extends object>(sql: string): Promise<readonly R[]> => (await pool.query<R>(sql)).rows;

/** A row to keep and an older one to delete; `what` is the column that distinguishes them. */
const TABLES: Readonly<Record<string, { readonly what: string; readonly fresh: string; readonly outdated: string }>> = {
  'es.command_ids': {
    what: 'kind',
    fresh: `(command_id, kind, ids, created_at) VALUES (gen_random_uuid(), 'fresh', '{1}', now() - interval '47 hours')`,
    outdated: `(command_id, kind, ids, created_at) VALUES (gen_random_uuid(), 'outdated', '{1}', now() - interval '49 hours')`,
  },
  'es.idempotency': {
    what: 'key',
    fresh: `(scope, key, request_hash, created_at) VALUES ('', 'fresh', '', now() - interval '23 hours')`,
    outdated: `(scope, key, request_hash, created_at) VALUES ('', 'outdated', '', now() - interval '25 hours')`,
  },
  'es.leases': {
    what: 'name',
    fresh: `(name, owner, epoch, until) VALUES ('fresh', '', 1, now() - interval '6 days')`,
    outdated: `(name, owner, epoch, until) VALUES ('outdated', '', 1, now() - interval '8 days')`,
  },
};

describe('expired rows', () => {
  it.each(Object.entries(TABLES))(
    'expired rows of %s are deleted, younger ones are kept',
    async (table, { what, fresh, outdated }) => {
      for (const row of [fresh, outdated]) await pool.query(`INSERT INTO ${table} ${row}`);
      expect((await deleteOutdatedRows(pool))[table]).toBe(1);
      expect(await rows(`SELECT ${what} AS row FROM ${table}`)).toEqual([{ row: 'fresh' }]);
    },
  );

  it('include reports about deleted instances and snapshots, unless they were just written', async () => {
    await pool.query(`INSERT INTO ${readSchemaOf(instancesProjection)}.instances (id, snapshot_name, mapping_id, mapping_name, mapping_version,
        owner_username, wrapper_type, name, description, url_slug, status, inactivity_timeout, cpu_cores,
        access_mode, access_users, created_at, updated_at)
      VALUES (1, '', 1, '', 1, 'ada', '', '', '', '', 'running', '', 1, 'everyone', '{}', now(), now())`);
    const tables = [
      ['telemetry.instance_metrics', 'instance_id'],
      ['telemetry.instance_progress', 'instance_id'],
      ['telemetry.snapshot_progress', 'snapshot_id'],
    ] as const;
    for (const [table, id] of tables) {
      await pool.query(`INSERT INTO ${table} (${id}, data, updated_at) VALUES
        (1, '{}', now() - interval '2 days'), (2, '{}', now() - interval '2 days'), (3, '{}', now())`);
    }
    await deleteOutdatedRows(pool);
    const left = await Promise.all(
      tables.map(([table, id]) => rows<{ id: string }>(`SELECT ${id} AS id FROM ${table} ORDER BY 1`)),
    );
    expect(left.map((found) => found.map(({ id }) => Number(id)))).toEqual([[1, 3], [1, 3], [3]]);
  });

  it('are deleted periodically while the system runs', async () => {
    const shutdownSteps = new ShutdownSteps();
    startRetention(pool, shutdownSteps, pino({ level: 'silent' }), 5);
    for (const round of [1, 2]) {
      await pool.query(
        `INSERT INTO es.leases (name, owner, epoch, until) VALUES ('round ${round}', '', 1, '2000-01-01')`,
      );
      const left = () => rows(`SELECT FROM es.leases WHERE name = 'round ${round}'`);
      await waitFor(`the row of round ${round} is deleted`, async () => (await left()).length === 0);
    }
    await shutdownSteps.closeAll((name) => {
      throw new Error(name);
    });
  });
});

test('docs/operations/runbooks/growth.md lists every table except read models', async () => {
  const page = readFileSync(join(packageRoot, 'docs', 'operations', 'runbooks', 'growth.md'), 'utf8');
  const named = page.split('\n').flatMap((line) => /^\| `([a-z_]+\.[a-z_]+)` /.exec(line)?.[1] ?? []);
  const there = await rows<{ name: string }>(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname IN ('es', 'telemetry', 'schema_cache') ORDER BY 1`,
  );
  expect([...named].sort()).toEqual(there.map(({ name }) => name));
});
