import { type Either, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { STREAM_CATEGORIES } from '../../domain/events';
import { type EventStore } from '../../domain/ports/event-store';
import { type LogIdentity } from '../../domain/ports/log-identity';
import { type LogTroubles } from '../metrics/metrics';
import { createEventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { createPostgresLogIdentity } from '../postgres/event-reader';
import { type EventStoreSettings, logName } from './event-store-settings';
import { type StartFailure } from '../system/closers';

/** The database of the read models, in which the log is, too, unless the settings say otherwise. */
export interface Database {
  readonly pool: Pool;
  readonly connectionString: string;
}

export interface OpenedEventStore {
  readonly kind: EventStoreSettings['kind'];
  /** For people. */
  readonly name: string;
  readonly store: EventStore;
  readonly identity: LogIdentity;
  readonly troubles: LogTroubles;
  /** Waits for the appends under way. */
  close(): Promise<void>;
}

/** Opens the log where the settings say it is; this is the one place that decides it. */
export const openEventStore = (
  settings: EventStoreSettings,
  { pool, connectionString }: Database,
  log: (message: string) => void,
): Either<StartFailure, OpenedEventStore> => {
  const opened = { kind: settings.kind, name: logName(settings) };
  const troubles = { resends: 0, reconnections: 0 };
  if (settings.kind === 'eventstoredb') {
    const observe = {
      resent: () => (troubles.resends += 1),
      reconnected: () => (troubles.reconnections += 1),
    };
    try {
      return right({
        ...opened,
        ...createEventStoreDbEventStore({ ...settings, categories: STREAM_CATEGORIES, log, observe }),
        troubles,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return left({ message: `The event store cannot be opened: ${reason}` });
    }
  }
  const store = createPostgresEventStore({ pool, connectionString, log, patienceMs: settings.patienceMs });
  return right({ ...opened, store, identity: createPostgresLogIdentity(pool), troubles, close: () => store.close() });
};
