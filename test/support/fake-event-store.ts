import { createEventStoreOn, type EventStoreDbOptions } from '../../adapters/eventstoredb/eventstoredb-event-store';
import { FakeLogServer } from './in-memory/fake-log-server';

/** The adapter over a fake server, with a timeout of half a second. */
export const fakeEventStore = (options: Partial<EventStoreDbOptions> = {}, server = new FakeLogServer()) => {
  const observed = { resent: 0, reconnected: 0 };
  const adapter = createEventStoreOn(server.open, {
    connectionString: 'esdb://admin:secret@127.0.0.1:2113?tls=false',
    prefix: '',
    categories: ['a', 'mapping'],
    timeoutMs: 500,
    maxAppendBytes: 10_000,
    observe: {
      resent: () => (observed.resent += 1),
      reconnected: () => (observed.reconnected += 1),
    },
    ...options,
  });
  return { ...adapter, server, observed };
};
