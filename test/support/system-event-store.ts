import { randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { createEventStoreDbEventStore } from '../../adapters/eventstoredb/eventstoredb-event-store';
import { STREAM_CATEGORIES } from '../../domain/events';
import { type StoredEvent } from '../../domain/kernel/event';

/** Where the server of this run is, known to the process that set it up and to its workers. */
export const EVENT_STORE_URL_VARIABLE = 'EVENT_STORE_URL_OF_TESTS';

const MIB = 1024 * 1024;

/** Whether `EVENT_STORE=eventstoredb` asks for systems whose log is in EventStoreDB. */
export const isEventStoreDbWanted = (): boolean => process.env['EVENT_STORE'] === 'eventstoredb';

/** The settings of a system, or of several that share it, with a log of its own where the run wants it. */
export const settingsOfOwnLog = (): Readonly<Record<string, string>> => {
  const url = process.env[EVENT_STORE_URL_VARIABLE];
  return url === undefined ? {} : settingsOfLogOn(url);
};

/** The settings of a system with a log of its own on an EventStoreDB. */
export const settingsOfLogOn = (url: string): Readonly<Record<string, string>> => ({
  ROWGRAPH_EVENT_STORE: 'eventstoredb',
  ROWGRAPH_EVENT_STORE_URL: url,
  ROWGRAPH_EVENT_STORE_PREFIX: `test${randomBytes(6).toString('hex')}_`,
});

/** The events of a stream of a system whose log is in EventStoreDB; null where it is in PostgreSQL. */
export const streamInEventStoreDb = async (
  settings: Readonly<Record<string, string>>,
  streamId: string,
): Promise<readonly StoredEvent[] | null> => {
  const { ROWGRAPH_EVENT_STORE_URL: connectionString, ROWGRAPH_EVENT_STORE_PREFIX: prefix = '' } = settings;
  if (connectionString === undefined) return null;
  const opened = createEventStoreDbEventStore({
    connectionString,
    prefix,
    categories: STREAM_CATEGORIES,
    patienceMs: 2_000,
    maxAppendBytes: MIB,
  });
  try {
    const events = await opened.store.readStream(streamId);
    if (isLeft(events)) throw new Error(events.left.reason);
    return events.right;
  } finally {
    await opened.close();
  }
};
