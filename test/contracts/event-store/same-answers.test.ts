import { createEventStoreOn } from '../../../adapters/eventstoredb/eventstoredb-event-store';
import { systemClock } from '../../../adapters/system/system-clock';
import { FakeLogServer } from '../../support/in-memory/fake-log-server';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { seedOfCommit } from '../../support/seed-of-commit';
import { CONTRACT_CATEGORIES } from './event-store-contract';
import { giveSameAnswers } from './same-answers';

it('EventStoreDB, over a fake of its client, answers 2,000 random operations as the store in memory does', async () => {
  const eventstoredb = createEventStoreOn(new FakeLogServer().open, {
    connectionString: 'esdb://127.0.0.1:2113?tls=false',
    prefix: '',
    categories: CONTRACT_CATEGORIES,
    patienceMs: 8_000,
    maxAppendBytes: 1024 * 1024,
  });
  const stores = { 'in memory': createInMemoryEventStore(systemClock), EventStoreDB: eventstoredb.store };

  await giveSameAnswers(stores, { operations: 2_000, seed: seedOfCommit() });

  await eventstoredb.close();
});
