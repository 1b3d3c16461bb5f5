import { getPriority } from 'node:os';
import { createPool, MAINTENANCE, type PoolOptions } from '../../../adapters/postgres/pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';

describe('the connections of a program', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const priorityOf = async (options: Partial<PoolOptions>): Promise<number> => {
    const pool = createPool({ connectionString: database.connectionString, ...options });
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const priority = getPriority(rows[0]?.pid);
    await pool.end();
    return priority;
  };

  it("have the server's usual priority, and a lower one for maintenance", async () => {
    expect(await priorityOf({})).toBe(0);
    expect(await priorityOf(MAINTENANCE)).toBe(MAINTENANCE.priority);
  });
});
