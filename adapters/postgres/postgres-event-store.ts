import { type Pool } from 'pg';
import { type EventStore } from '../../domain/ports/event-store';
import { FeedSignal } from '../system/feed-signal';
import { followFeed } from '../system/follow-feed';
import { AppendWriter } from './append-writer';
import { createEventReader } from './event-reader';
import { listenForAppends } from './feed-listener';

export interface PostgresEventStoreOptions {
  /** From `createPool`, on a database migrated by `migrate`. The caller closes it. */
  readonly pool: Pool;
  /** Of the same database, for the `LISTEN` connection; not through a transaction pooler. */
  readonly connectionString: string;
  readonly log?: (message: string) => void;
  /** How long an append outside of a request is retried while the database does not answer. Default: five seconds. */
  readonly patienceMs?: number;
}

/**
 * The event store on PostgreSQL: see `append-function.ts` for writing and its order, `append-writer.ts` for batches.
 */
export const createPostgresEventStore = (
  options: PostgresEventStoreOptions,
): EventStore & {
  /** Waits for pending appends and stops listening. The caller aborts the subscriptions. */
  close(): Promise<void>;
} => {
  const appended = new FeedSignal();
  const writer = new AppendWriter({
    pool: options.pool,
    onAppended: (position) => appended.notify(position),
    patienceMs: options.patienceMs ?? 5_000,
  });
  const reader = createEventReader(options.pool);
  const closing = new AbortController();
  let listening: Promise<void> | null = null;

  return {
    ...reader,
    append: (streamId, expected, events) => writer.append(streamId, expected, events),
    subscribeAll: (after, subscription) => {
      listening ??= listenForAppends(
        options.connectionString,
        closing.signal,
        (position) => appended.notify(position),
        options.log ?? (() => undefined),
      );
      return followFeed(reader.readAll, appended, after, subscription);
    },
    close: async () => {
      closing.abort();
      await writer.close();
      await listening;
    },
  };
};
