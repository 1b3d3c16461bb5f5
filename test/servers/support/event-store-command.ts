import { eventStoreCommand } from '../../../bench/event-store/event-store-command';

/** `describe` where there is an EventStoreDB server to run it against; left out and counted as such elsewhere. */
export const describeWithEventStore: jest.Describe = eventStoreCommand() === null ? describe.skip : describe;
