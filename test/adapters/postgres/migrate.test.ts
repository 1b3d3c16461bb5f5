import { isLeft, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { migrate } from '../../../adapters/postgres/migrate';
import { type Migration, migrations } from '../../../adapters/postgres/migrations';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, databaseUrl, type TestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';

let database: TestDatabase;
const pools: Pool[] = [];
const openPool = (): Pool => {
  const pool = createTestPool({ connectionString: database.connectionString, max: 2 });
  pools.push(pool);
  return pool;
};

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  await database.drop();
});

const QUICK = { lockTimeoutMs: 600, pausesMs: [50, 50] as [number, number], tryForMs: 30_000 };

const steps = migrations as unknown as Migration[];
const NEXT = {
  id: Math.max(...migrations.map(({ id }) => id)) + 1,
  name: 'notes',
  sql: 'ALTER TABLE schema_cache.catalogs ADD COLUMN note text',
};
const released = migrations.length;
afterEach(() => steps.splice(released));

describe('migrating the database', () => {
  it('runs every step in one of several processes that start on an empty database, and none in the others', async () => {
    const processes = [openPool(), openPool(), openPool(), openPool()];
    await openPool().query('DROP SCHEMA es, telemetry, schema_cache CASCADE');

    const taken = await Promise.all(processes.map((pool) => migrate(pool)));

    const steps = taken.map((outcome) => (isLeft(outcome) ? outcome.left : outcome.right.length));
    expect(steps.sort()).toEqual([0, 0, 0, migrations.length]);
  });

  it('runs no step that another process has run while it waited', async () => {
    const other = await openPool().connect();
    await other.query('DROP SCHEMA es, telemetry, schema_cache CASCADE');
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(7020170611)');
    const migrating = migrate(openPool());
    await waitFor('it waits', async () => {
      const { rowCount } = await other.query(
        `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database()
         WHERE locktype = 'advisory' AND NOT granted`,
      );
      return rowCount === 1;
    });
    await other.query(
      `CREATE SCHEMA es; CREATE TABLE es.migrations (id integer PRIMARY KEY);
       INSERT INTO es.migrations VALUES (${NEXT.id}); COMMIT`,
    );
    other.release();
    expect(await migrating).toEqual(right([]));
  });

  it('does nothing when everything is up to date', async () => {
    expect(await migrate(openPool())).toEqual(right([]));
  });

  it('only reads an up-to-date database, so that a reader of its tables, such as a backup, does not delay it', async () => {
    const backup = await openPool().connect();
    await backup.query('BEGIN; LOCK TABLE es.migrations, es.leases, es.events IN ACCESS SHARE MODE');
    const blocked: string[] = [];

    expect(await migrate(openPool(), { onBlocked: (reason) => blocked.push(reason), timing: QUICK })).toEqual(
      right([]),
    );
    expect(blocked).toEqual([]);
    await backup.query('ROLLBACK');
    backup.release();
  });

  it('lets other statements through while a reader blocks a step, and names the table and the reader', async () => {
    const pool = openPool();
    steps.push(NEXT);
    const backup = await openPool().connect();
    await backup.query(
      "SET application_name = 'pg_dump'; BEGIN; LOCK TABLE schema_cache.catalogs IN ACCESS SHARE MODE",
    );
    const { rows } = await backup.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const blocked: string[] = [];
    const migrating = migrate(openPool(), { onBlocked: (reason) => blocked.push(reason), timing: QUICK });
    const named = new RegExp(
      `the table schema_cache.catalogs is locked by process ${rows[0]?.pid} .*\\(pg_dump, user .*since 20`,
    );
    // On a busy machine a try may end before its holder is looked up.
    await waitFor('a try named the reader', () => blocked.some((reason) => named.test(reason)));
    await waitFor('two tries were blocked', () => blocked.length >= 2);

    // The session's own limit of a wait for a lock would end it.
    await pool.query('SELECT count(*) FROM schema_cache.catalogs');
    await backup.query('COMMIT');
    backup.release();
    expect(await migrating).toEqual(right([NEXT.name]));
  });

  it('gives up when the reader does not end in time', async () => {
    const pool = openPool();
    steps.push(NEXT);
    const backup = await openPool().connect();
    await backup.query('BEGIN; LOCK TABLE schema_cache.catalogs IN ACCESS SHARE MODE');

    const refused = await migrate(pool, { timing: { ...QUICK, lockTimeoutMs: 2_000, tryForMs: 100 } });
    expect(isLeft(refused) && refused.left.message).toContain('the table schema_cache.catalogs is locked by process');
    await backup.query('ROLLBACK');
    backup.release();
  });

  it('succeeds on a database that a newer version has extended', async () => {
    const pool = openPool();
    await pool.query("INSERT INTO es.migrations (id, name) VALUES (99, 'from the future')");

    expect(await migrate(pool)).toEqual(right([]));
  });

  it('rejects a database whose newer step requires a newer program', async () => {
    const pool = openPool();
    await pool.query("INSERT INTO es.migrations (id, name, requires) VALUES (99, 'from the future', 98)");

    const refused = await migrate(pool);
    expect(isLeft(refused) && refused.left.message).toContain('it needs a version that knows step 98');
  });

  it('rejects a new database in another encoding than UTF8', async () => {
    const administrator = openPool();
    await administrator.query(`CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
    const pool = createTestPool({ connectionString: databaseUrl('latin'), max: 1 });

    const refused = await migrate(pool);
    await pool.end();
    await administrator.query('DROP DATABASE latin');
    expect(isLeft(refused) && refused.left.message).toContain('its encoding is LATIN1, expected UTF8');
  });

  it('leaves the database unchanged when a step fails', async () => {
    const pool = openPool();
    // Without the record of applied steps, creating existing objects again fails.
    await pool.query('DELETE FROM es.migrations');

    expect(isLeft(await migrate(pool))).toBe(true);
    expect((await pool.query('SELECT id FROM es.migrations')).rows).toEqual([]);
  });

  it('rejects a database that is older than version 0.2.0', async () => {
    const pool = openPool();
    await pool.query('TRUNCATE es.migrations; ALTER TABLE es.migrations DROP COLUMN requires');
    await pool.query("INSERT INTO es.migrations (id, name) VALUES (14, 'before the baseline')");
    const refused = await migrate(pool);
    expect(isLeft(refused) && refused.left.message).toContain('it is at step 14, which is older than version 0.2.0');
  });
});
