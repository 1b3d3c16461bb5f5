import { createEventStoreDbEventStore } from '../../adapters/eventstoredb/eventstoredb-event-store';
import { createPostgresEventStore } from '../../adapters/postgres/postgres-event-store';
import { systemClock } from '../../adapters/system/system-clock';
import { CONTRACT_CATEGORIES } from '../contracts/event-store/event-store-contract';
import { giveSameAnswers } from '../contracts/event-store/same-answers';
import { createTestPool } from '../support/create-test-pool';
import { createInMemoryEventStore } from '../support/in-memory/in-memory-event-store';
import { createTestDatabase } from '../support/postgres';
import { SEED } from '../support/seed';
import { describeWithEventStore } from './support/event-store-command';
import { startEventStoreServer } from './support/event-store-server';

const RESTART_EVERY = 400;

jest.setTimeout(600_000);

describeWithEventStore('2,000 random operations', () => {
  it('return the same answers on EventStoreDB, killed and restarted between them, on PostgreSQL and in memory', async () => {
    const server = await startEventStoreServer();
    const database = await createTestDatabase();
    const pool = createTestPool({ connectionString: database.connectionString });
    const postgres = createPostgresEventStore({ pool, connectionString: database.connectionString });
    const eventstoredb = createEventStoreDbEventStore({
      connectionString: server.connectionString,
      prefix: 'several_logs.',
      categories: CONTRACT_CATEGORIES,
      timeoutMs: 20_000,
      maxAppendBytes: 1024 * 1024,
    });
    const stores = {
      PostgreSQL: postgres,
      EventStoreDB: eventstoredb.store,
      'in memory': createInMemoryEventStore(systemClock),
    };
    try {
      await giveSameAnswers(stores, {
        operations: 2_000,
        seed: SEED,
        between: async (done) => {
          if (done % RESTART_EVERY === RESTART_EVERY - 1) await server.restart();
        },
      });
    } finally {
      await eventstoredb.close();
      await postgres.close();
      await pool.end();
      await database.drop();
      await server.stop();
    }
  });
});
