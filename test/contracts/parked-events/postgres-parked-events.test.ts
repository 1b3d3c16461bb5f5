import { type Pool } from 'pg';
import { parkedEventTable } from '../../../projections/feed/parked-event-table';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { parkedEventsContract } from './parked-events-contract';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool({ connectionString: database.connectionString });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

parkedEventsContract(async () => {
  await pool.query('TRUNCATE es.parked');
  return parkedEventTable(pool, { name: 'processes', version: 1, epoch: 0 });
});
