import { createPool } from '../../../adapters/postgres/pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';

let database: TestDatabase;
beforeEach(async () => (database = await createTestDatabase()));
afterEach(() => database.drop());

test.each([
  ['statement_timeout', '50s', '1min'],
  ['lock_timeout', '50s', '10s'],
  ['idle_in_transaction_session_timeout', '50s', '30s'],
  ['idle_session_timeout', '50s', '0'],
  ['default_transaction_isolation', 'repeatable read', 'read committed'],
  ['datestyle', 'German', 'ISO, MDY'],
])('%s of a database, %s, does not apply to connections of rowgraph, which have %s', async (name, theirs, ours) => {
  const { connectionString } = database;
  const administrator = createPool({ connectionString, max: 1 });
  const { pathname } = new URL(connectionString);
  await administrator.query(`ALTER DATABASE ${pathname.slice(1)} SET ${name} = '${theirs}'`);
  await administrator.end();

  const pool = createPool({ connectionString, max: 1 });
  expect((await pool.query<Record<string, string>>(`SELECT current_setting('${name}') AS value`)).rows).toEqual([
    { value: ours },
  ]);
  await pool.end();
});
