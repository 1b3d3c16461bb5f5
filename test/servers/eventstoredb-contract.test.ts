import { createEventStoreDbEventStore } from '../../adapters/eventstoredb/eventstoredb-event-store';
import { CONTRACT_CATEGORIES, describeEventStore } from '../contracts/event-store/event-store-contract';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';

describeWithEventStore('on a real server', () => {
  let server: EventStoreServer;
  let logs = 0;
  beforeAll(async () => {
    server = await startEventStoreServer();
  });
  afterAll(() => server.stop());

  // A separate log for each test, by its prefix.
  describeEventStore('EventStoreDB', async () => {
    const { store, identity, close } = createEventStoreDbEventStore({
      connectionString: server.connectionString,
      prefix: `log${(logs += 1)}_`,
      categories: CONTRACT_CATEGORIES,
      timeoutMs: 8_000,
      maxAppendBytes: 1024 * 1024,
    });
    await identity.ensure(`log ${logs}`);
    return { store, close };
  });
});
