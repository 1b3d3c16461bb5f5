import { type Pool } from 'pg';
import { readFollowedLog, recordFollowedLog } from '../../../adapters/postgres/followed-log';
import { createPool } from '../../../adapters/postgres/pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ connectionString: database.connectionString, max: 2 });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

test('the followed log and the copy that is under way are what was recorded last', async () => {
  expect(await readFollowedLog(pool)).toBeNull();

  const own = { store: 'postgres', logId: 'a' } as const;
  const copy = { store: 'eventstoredb', logId: 'b' } as const;
  await recordFollowedLog(pool, { ...own, copy });
  expect(await readFollowedLog(pool)).toEqual({ ...own, copy });

  await recordFollowedLog(pool, { ...copy, copy: null });
  expect(await readFollowedLog(pool)).toEqual({ ...copy, copy: null });
});
