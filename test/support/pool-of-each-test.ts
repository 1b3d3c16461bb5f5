import { type Pool } from 'pg';
import { createTestPool } from './create-test-pool';
import { createTestDatabase } from './postgres';

/** Gives every test of a file a new database; `pool` is that of the current test. */
export const poolOfEachTest = (): { readonly pool: Pool } => {
  let pool: Pool;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const database = await createTestDatabase();
    pool = createTestPool({ connectionString: database.connectionString, max: 2 });
    drop = () => database.drop();
  });
  afterEach(async () => {
    await pool.end();
    await drop();
  });
  return {
    get pool() {
      return pool;
    },
  };
};
