import { createPostgresLogIdentity } from '../../../adapters/postgres/event-reader';
import { createPostgresEventStore } from '../../../adapters/postgres/postgres-event-store';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';
import { describeLogIdentity } from './log-identity-contract';

describeLogIdentity('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 4 });
  const store = createPostgresEventStore({ pool, connectionString: database.connectionString });
  return {
    store,
    identity: createPostgresLogIdentity(pool),
    close: async () => {
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
});
