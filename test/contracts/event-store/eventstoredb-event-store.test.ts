import { createEventStoreOn } from '../../../adapters/eventstoredb/eventstoredb-event-store';
import { FakeLogServer } from '../../support/in-memory/fake-log-server';
import { CONTRACT_CATEGORIES, describeEventStore } from './event-store-contract';

describeEventStore('EventStoreDB, over a fake of its client', () =>
  Promise.resolve(
    createEventStoreOn(new FakeLogServer().open, {
      connectionString: 'esdb://127.0.0.1:2113?tls=false',
      prefix: '',
      categories: CONTRACT_CATEGORIES,
      patienceMs: 8_000,
      maxAppendBytes: 1024 * 1024,
    }),
  ),
);
