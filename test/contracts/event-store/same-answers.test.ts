import { systemClock } from '../../../adapters/system/system-clock';
import { fakeEventStore } from '../../support/fake-event-store';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { SEED } from '../../support/seed';
import { CONTRACT_CATEGORIES } from './event-store-contract';
import { giveSameAnswers } from './same-answers';

it('EventStoreDB, over a fake of its client, answers 2,000 random operations as the store in memory does', async () => {
  const eventstoredb = fakeEventStore({ categories: CONTRACT_CATEGORIES });
  const stores = { 'in memory': createInMemoryEventStore(systemClock), EventStoreDB: eventstoredb.store };

  await giveSameAnswers(stores, { operations: 2_000, seed: SEED });

  await eventstoredb.close();
});
