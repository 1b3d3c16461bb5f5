import { type Pool } from 'pg';
import { createPool } from '../../../adapters/postgres/pool';
import { createPostgresParkedInputs } from '../../../adapters/postgres/postgres-parked-inputs';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { parkedInputsContract } from './parked-inputs-contract';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ connectionString: database.connectionString });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

parkedInputsContract(async () => {
  await pool.query('TRUNCATE es.parked');
  return createPostgresParkedInputs(pool);
});
