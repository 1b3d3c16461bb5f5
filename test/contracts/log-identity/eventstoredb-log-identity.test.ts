import { fakeEventStore } from '../../support/fake-event-store';
import { CONTRACT_CATEGORIES } from '../event-store/event-store-contract';
import { describeLogIdentity } from './log-identity-contract';

describeLogIdentity('EventStoreDB, over a fake of its client', () =>
  Promise.resolve(fakeEventStore({ categories: CONTRACT_CATEGORIES })),
);
