import { constants, getPriority } from 'node:os';
import { createPool, MAINTENANCE } from '../../../adapters/postgres/pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';

describe('the connections of a program', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const priorityOf = async (name: string): Promise<number> => {
    const pool = createPool({ connectionString: database.connectionString, name });
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const priority = getPriority(rows[0]?.pid);
    await pool.end();
    return priority;
  };

  it("have the server's usual priority, and the lowest one for maintenance", async () => {
    expect(await priorityOf('rowgraph')).toBe(constants.priority.PRIORITY_NORMAL);
    expect(await priorityOf(MAINTENANCE)).toBe(constants.priority.PRIORITY_LOW);
  });
});
