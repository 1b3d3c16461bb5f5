import { eventStoreCommand } from '../../../bench/event-store/event-store-command';

/** `describe` if an EventStoreDB server is available; otherwise the tests are skipped and counted as skipped. */
export const describeWithEventStore: jest.Describe = eventStoreCommand() === null ? describe.skip : describe;
