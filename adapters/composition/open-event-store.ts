import { type Either, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type EventStore } from '../../domain/ports/event-store';
import { type LogIdentity } from '../../domain/ports/log-identity';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { createPostgresLogIdentity } from '../postgres/postgres-log-identity';
import { type EventStoreSettings } from './event-store-settings';
import { type StartFailure } from './startup';

/** The database of the read models, in which the log is, too, unless the settings say otherwise. */
export interface Database {
  readonly pool: Pool;
  readonly connectionString: string;
}

export interface OpenedEventStore {
  readonly store: EventStore;
  readonly identity: LogIdentity;
  /** Waits for the appends under way. */
  close(): Promise<void>;
}

/** Opens the log where the settings say it is; this is the one place that decides it. */
export const openEventStore = (
  settings: EventStoreSettings,
  { pool, connectionString }: Database,
  log: (message: string) => void,
): Either<StartFailure, OpenedEventStore> => {
  if (settings.kind === 'eventstoredb') return left({ message: 'The event store eventstoredb is not built in yet.' });
  const store = createPostgresEventStore({ pool, connectionString, log });
  return right({ store, identity: createPostgresLogIdentity(pool), close: () => store.close() });
};
