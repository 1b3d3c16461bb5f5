import { isLeft, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { migrate } from '../../../adapters/postgres/migrate';
import { migrations } from '../../../adapters/postgres/migrations';
import { createPool } from '../../../adapters/postgres/pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';

let database: TestDatabase;
const pools: Pool[] = [];
const openPool = (): Pool => {
  const pool = createPool({ connectionString: database.connectionString, max: 2 });
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

describe('migrating the database', () => {
  it('of several processes that start on an empty database one takes every step and the others find it done', async () => {
    const processes = [openPool(), openPool(), openPool(), openPool()];
    await openPool().query('DROP SCHEMA es, telemetry, schema_cache CASCADE');

    const taken = await Promise.all(processes.map((pool) => migrate(pool)));

    expect(
      taken.filter((outcome) => outcome._tag === 'Right' && outcome.right.length === migrations.length),
    ).toHaveLength(1);
    expect(taken.filter((outcome) => outcome._tag === 'Right' && outcome.right.length === 0)).toHaveLength(3);
  });

  it('does nothing when everything is up to date', async () => {
    expect(await migrate(openPool())).toEqual(right([]));
  });

  it('refuses a database that a newer version has migrated', async () => {
    const pool = openPool();
    await pool.query("INSERT INTO es.migrations (id, name) VALUES (99, 'from the future')");

    const refused = await migrate(pool);
    expect(isLeft(refused) && refused.left.message).toContain('it is at step 99');
  });

  it('leaves the database as it was when a step fails', async () => {
    const pool = openPool();
    // What replaces a function can be done twice; what adds a column cannot.
    const done = migrations.findIndex(({ sql }) => sql.includes('ADD COLUMN disk_usage_bytes'));
    await pool.query('DELETE FROM es.migrations WHERE id > $1', [done]);

    expect(isLeft(await migrate(pool))).toBe(true);
    expect((await pool.query('SELECT id FROM es.migrations')).rows).toHaveLength(done);
  });
});
