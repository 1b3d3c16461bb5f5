import { createPostgresEventStore } from '../../../adapters/postgres/postgres-event-store';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';
import { describeEventStore } from './event-store-contract';

describeEventStore('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString });
  const store = createPostgresEventStore({ pool, connectionString: database.connectionString });
  return {
    store,
    close: async () => {
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
});
