import { systemClock } from '../../../adapters/system/system-clock';
import { fakeEventStore } from '../../support/fake-event-store';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { bySize } from '../../support/proof-size';
import { SEED } from '../../support/seed';
import { CONTRACT_CATEGORIES } from './event-store-contract';
import { giveSameAnswers } from './same-answers';

const OPERATIONS = bySize({ sample: 600, full: 2_000 });

it(`EventStoreDB, over a fake of its client, answers ${OPERATIONS} random operations like the store in memory`, async () => {
  const eventstoredb = fakeEventStore({ categories: CONTRACT_CATEGORIES });
  const stores = { 'in memory': createInMemoryEventStore(systemClock), EventStoreDB: eventstoredb.store };

  await giveSameAnswers(stores, { operations: OPERATIONS, seed: SEED });

  await eventstoredb.close();
});
