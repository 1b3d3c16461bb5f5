import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { STREAM_CATEGORIES } from '../../domain/events';
import { type EventStore, type LogIdentity } from '../../domain/ports/event-store';
import { type LogConnectionCounts } from '../metrics/metrics';
import { createPostgresLogIdentity } from '../postgres/event-reader';
import { verifyLog } from '../postgres/followed-log';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { type StartFailure } from '../system/shutdown-steps';
import { withTimeLimit } from '../system/time-limit';
import { type EventStoreSettings, logName } from './event-store-settings';
import { type Startup } from './startup';

/** The database of the read models, and by default also of the log. */
export interface Database {
  readonly pool: Pool;
  readonly connectionString: string;
}

export interface OpenedEventStore {
  readonly kind: EventStoreSettings['kind'];
  /** Display name. */
  readonly name: string;
  readonly store: EventStore;
  readonly identity: LogIdentity;
  readonly connectionCounts: LogConnectionCounts;
  /** Waits for pending appends. */
  close(): Promise<void>;
}

/** Opens the configured event store; the only place that selects it. Loads the client of EventStoreDB only for it. */
export const openEventStore = async (
  settings: EventStoreSettings,
  { pool, connectionString }: Database,
  log: (message: string) => void,
): Promise<Either<StartFailure, OpenedEventStore>> => {
  const opened = { kind: settings.kind, name: logName(settings) };
  const connectionCounts = { resends: 0, reconnections: 0 };
  if (settings.kind === 'eventstoredb') {
    const observe = {
      resent: () => (connectionCounts.resends += 1),
      reconnected: () => (connectionCounts.reconnections += 1),
    };
    const { createEventStoreDbEventStore } = await import('../eventstoredb/eventstoredb-event-store.js');
    try {
      return right({
        ...opened,
        ...createEventStoreDbEventStore({ ...settings, categories: STREAM_CATEGORIES, log, observe }),
        connectionCounts,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return left({ message: `The event store cannot be opened: ${reason}` });
    }
  }
  const store = createPostgresEventStore({ pool, connectionString, log, timeoutMs: settings.timeoutMs });
  return right({
    ...opened,
    store,
    identity: createPostgresLogIdentity(pool),
    connectionCounts,
    close: () => store.close(),
  });
};

const FIRST_TIMEOUT_MS = 2_000;
const PAUSE_MS = 500;

/** Waits until the log answers, and verifies that it is the one that the read models follow. Returns the log's id. */
export const followLog = async (
  pool: Pool,
  opened: OpenedEventStore,
  { settings, waitsFor, log }: Pick<Startup, 'settings' | 'waitsFor' | 'log'>,
): Promise<Either<StartFailure, string>> => {
  const { name } = opened;
  let reason = '';
  waitsFor.set('event_store', () => `${name}: ${reason === '' ? 'not read yet' : reason}`);
  for (let timeoutMs = FIRST_TIMEOUT_MS; ; timeoutMs = settings.eventStore.timeoutMs) {
    const verified = await withTimeLimit(timeoutMs, () => verifyLog(pool, opened));
    if (!isLeft(verified)) {
      if (reason !== '') log.info(`the event store (${name}) answers; the start continues`);
      waitsFor.delete('event_store');
      return verified;
    }
    if (verified.left.kind === 'refused') return left({ message: verified.left.message });
    if (reason !== verified.left.reason) {
      log.warn(`the event store (${name}) cannot be used; waiting for it: ${verified.left.reason}`);
    }
    reason = verified.left.reason;
    await sleep(PAUSE_MS);
  }
};
