import { type Either } from 'fp-ts/Either';
import { type NewEvent, type Position, type StoredEvent } from '../kernel/event';

/** What the writer believes about the stream: it does not exist, its last event has this revision, or anything. */
export type ExpectedRevision = 'no_stream' | 'any' | number;

export type AppendError =
  /** Someone else appended first. `actual` is the last revision, null when the stream does not exist. */
  | { readonly kind: 'wrong_expected_revision'; readonly streamId: string; readonly actual: number | null }
  /** The events exceed what the store takes in one append. */
  | { readonly kind: 'too_large'; readonly streamId: string; readonly bytes: number; readonly maxBytes: number }
  /** The connection was lost after sending. The adapter has re-read the stream for the ids and could not tell. */
  | { readonly kind: 'unknown_outcome'; readonly streamId: string; readonly reason: string }
  /** The store did not take the request; nothing was written. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface ReadError {
  readonly kind: 'unavailable';
  readonly reason: string;
}

export interface Appended {
  /** Position of the last event of the append. */
  readonly position: Position;
  /** Revision of the last event of the append. */
  readonly revision: number;
}

export interface ReadStreamOptions {
  /** First revision to return (inclusive). Default: 0 forwards, the last one backwards. */
  readonly fromRevision?: number;
  /** Default `forwards`. */
  readonly direction?: 'forwards' | 'backwards';
  /** Most events to return. Default: all. */
  readonly limit?: number;
}

/** Which events of the feed are wanted. Both absent: all. */
export interface FeedFilter {
  readonly types?: readonly string[];
  readonly streamPrefix?: string;
}

export interface FeedPage {
  readonly events: readonly StoredEvent[];
  /** Everything up to here has been looked at; continue after it. Equals `after` when there was nothing new. */
  readonly position: Position;
}

/**
 * The log of everything that happened. One append writes to one stream. There are no server-side projections,
 * persistent subscriptions or multi-stream appends, because not every store has them.
 */
export interface EventStore {
  /**
   * Appends atomically. Appending the same event ids again succeeds with the position and revision of the first time,
   * at the same expected revision. `events` is not empty.
   */
  append(
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Either<AppendError, Appended>>;

  /** The events of a stream in the order asked for; an unknown stream has none. */
  readStream(streamId: string, options?: ReadStreamOptions): Promise<Either<ReadError, readonly StoredEvent[]>>;

  /** Up to `limit` events after a position, in the order they became visible. */
  readAll(after: Position, limit: number, filter?: FeedFilter): Promise<Either<ReadError, FeedPage>>;

  /**
   * Pages of the feed after a position: first what is there, then what comes, until `signal` aborts. The next page is
   * read when the consumer asks for it (back-pressure); connection losses are retried within. A page may be empty
   * when only its position moved on.
   */
  subscribeAll(
    after: Position,
    options: { readonly filter?: FeedFilter; readonly batchSize?: number; readonly signal: AbortSignal },
  ): AsyncIterable<FeedPage>;

  /** Position of the last event, `START` when there is none. */
  head(): Promise<Either<ReadError, Position>>;

  /** Position of the last event recorded at or before a time. */
  positionAt(time: Date): Promise<Either<ReadError, Position>>;
}
