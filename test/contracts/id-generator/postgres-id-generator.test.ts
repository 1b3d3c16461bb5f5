import { createPostgresIdGenerator } from '../../../adapters/postgres/postgres-id-generator';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';
import { describeIdGenerator } from './id-generator-contract';

describeIdGenerator('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 4 });
  return {
    ids: createPostgresIdGenerator(pool),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
});
