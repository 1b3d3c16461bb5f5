import { type Either, left } from 'fp-ts/Either';
import { Client, type Pool } from 'pg';
import { type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { FeedSignal } from '../system/feed-signal';
import { followFeed } from '../system/follow-feed';
import { retry } from '../system/retry';
import { AppendWriter } from './append-writer';
import { connectionTo, endConnection, prepareSession } from './connection';
import { createEventReader, toPosition } from './event-reader';

export interface PostgresEventStoreOptions {
  /** From `createPool`, on a database migrated by `migrate`. The caller closes it. */
  readonly pool: Pool;
  /** Leads to the same database, for the `LISTEN` connection; not through a transaction pooler. */
  readonly connectionString: string;
  readonly log?: (message: string) => void;
  /** How long an append outside of a request is retried while the database does not answer. Default: five seconds. */
  readonly timeoutMs?: number;
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
    timeoutMs: options.timeoutMs ?? 5_000,
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

/** Called with the position of the last appended event; without: there may be new events. */
type OnAppended = (position?: Position) => void;

/**
 * Receives notifications of appends of all processes through `LISTEN`, on a dedicated connection that is reopened when
 * lost, until `signal` aborts. Also calls `onAppended` after every connect, since notifications may have been missed.
 * It only reduces latency: readers poll as well. Resolves when it has stopped.
 */
export const listenForAppends = async (
  connectionString: string,
  signal: AbortSignal,
  onAppended: OnAppended,
  log: (message: string) => void,
): Promise<void> => {
  let isNews = true;
  const onHeard: OnAppended = (position) => {
    isNews = true;
    onAppended(position);
  };
  const listen = async (): Promise<Either<string, never>> => left(await listenOnce(connectionString, signal, onHeard));
  const onFailure = (reason: string): void => {
    if (isNews) log(`Lost the connection that listens for appends, connecting again: ${reason}`);
    isNews = false;
  };
  await retry(listen, { pausesMs: [100, 2_000], signal, onFailure });
};

/** Resolves with the reason when the connection has ended. */
const listenOnce = async (connectionString: string, signal: AbortSignal, onAppended: OnAppended): Promise<string> => {
  if (signal.aborted) return 'stopped';
  const client = new Client({
    ...connectionTo(connectionString),
    application_name: 'rowgraph-listener',
  });
  const lost = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(String(error)));
    client.on('end', () => resolve('it was closed'));
  });
  client.on('notification', ({ payload }) => onAppended(payload ? toPosition(payload) : undefined));
  const listening = async (): Promise<void> => {
    await client.connect();
    await prepareSession(client, 0);
    await client.query('LISTEN es_events');
    onAppended();
  };
  const stop = (): void => void endConnection(client);
  signal.addEventListener('abort', stop);
  try {
    // The driver never settles a connect that is ended before it completes.
    await Promise.race([listening(), lost]);
    return await lost;
  } catch (error) {
    return String(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await endConnection(client);
  }
};
