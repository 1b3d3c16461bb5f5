import { isLeft } from 'fp-ts/Either';
import { type EventStore, type LogIdentity } from '../../domain/ports/event-store';
import { FeedSignal } from '../system/feed-signal';
import { followFeed } from '../system/follow-feed';
import { Appender } from './appender';
import { Connection } from './connection';
import { parseConnectionString, withoutPassword } from './connection-string';
import { createLogIdentity } from './eventstoredb-log-identity';
import { FeedReader } from './feed-reader';
import { listenToLog } from './listen-to-log';
import { type LogClient, type LogPlace } from './log-client';
import { clientOpener } from './open-client';
import { createReadStream } from './read-stream';
import { positionOf } from './stored-record';
import { streamNames } from './stream-names';

export interface EventStoreDbOptions {
  /** `esdb://…`, parsed by `parseConnectionString`. */
  readonly connectionString: string;
  /** Prefix of all stream names; separates several logs on one server. */
  readonly prefix: string;
  /** The part of every stream id before the dash. Streams of other categories belong to other programs. */
  readonly categories: readonly string[];
  /** Timeout of a call outside a request; a call within a request uses the remaining time of the request. */
  readonly timeoutMs: number;
  /** Maximum size of one append; at most the limit of the server. */
  readonly maxAppendBytes: number;
  /**
   * False: an append without a response is not sent again, because the writer needs an order across streams. Default:
   * true.
   */
  readonly resends?: boolean;
  readonly log?: (message: string) => void;
  readonly observe?: {
    /** Called when an append is sent again. */
    resent(): void;
    /** Called when the client is replaced. */
    reconnected(): void;
  };
}

/** Timeout of one attempt of a call, which leaves time for a retry. */
const LONGEST_SILENCE_MS = 2_000;

interface EventStoreDb {
  readonly store: EventStore;
  readonly identity: LogIdentity;
  /** Ends calls in progress and closes the connection. The caller aborts subscriptions. */
  close(): Promise<void>;
}

/** The event store on EventStoreDB. Throws if the connection string or a file that it names is invalid. */
export const createEventStoreDbEventStore = (options: EventStoreDbOptions): EventStoreDb => {
  const settings = parseConnectionString(options.connectionString);
  if (isLeft(settings)) {
    throw new Error(`The URL of the event store cannot be used. ${settings.left}`);
  }
  return createEventStoreOn(clientOpener(settings.right), options);
};

/** The same with any client. */
export const createEventStoreOn = (open: () => LogClient, options: EventStoreDbOptions): EventStoreDb => {
  const { timeoutMs, maxAppendBytes, resends = true, connectionString, observe, log = () => undefined } = options;
  const appended = new FeedSignal();
  const names = streamNames(options.prefix, options.categories);
  const connection = new Connection({
    open,
    silenceMs: resends ? Math.min(LONGEST_SILENCE_MS, timeoutMs / 4) : timeoutMs,
    onRenewal: () => {
      log(`EventStoreDB (${withoutPassword(connectionString)}) does not answer: connecting anew`);
      observe?.reconnected();
    },
  });
  const reading = { connection, names, timeoutMs };
  const feed = new FeedReader({ ...reading, beginning: () => identity.beginning() });
  const identity = createLogIdentity(reading);
  const closing = new AbortController();
  let listening: Promise<void> | null = null;

  const onEvent = (place: LogPlace | null): void => appended.notify(place === null ? undefined : positionOf(place));
  const onResend = (): void => observe?.resent();
  const appender = new Appender({ ...reading, maxAppendBytes, resends, onAppended: onEvent, onResend });
  const listen = (): Promise<void> =>
    listenToLog(connection, { prefixes: names.prefixes, signal: closing.signal, onEvent, log });

  return {
    store: {
      append: (streamId, expected, events) => appender.append(streamId, expected, events),
      readStream: createReadStream(reading),
      readAt: (position) => feed.readAt(position),
      readAll: (after, limit, filter) => feed.readAll(after, limit, filter),
      head: () => feed.head(),
      subscribeAll: (after, subscription) => {
        listening ??= listen();
        return followFeed((from, limit, filter) => feed.readAll(from, limit, filter), appended, after, subscription);
      },
    },
    identity,
    close: async () => {
      closing.abort();
      await connection.close();
      await listening;
    },
  };
};
