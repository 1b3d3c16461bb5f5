import { systemClock } from '../../../adapters/system/system-clock';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { describeEventStore } from './event-store-contract';

describeEventStore('in memory', () =>
  Promise.resolve({ store: createInMemoryEventStore(systemClock), close: () => Promise.resolve() }),
);
