import { fakeEventStore } from '../../support/fake-event-store';
import { CONTRACT_CATEGORIES, describeEventStore } from './event-store-contract';

describeEventStore('EventStoreDB, over a fake of its client', () =>
  Promise.resolve(fakeEventStore({ categories: CONTRACT_CATEGORIES, timeoutMs: 8_000, maxAppendBytes: 1024 * 1024 })),
);
