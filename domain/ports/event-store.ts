import { type Either } from 'fp-ts/Either';
import { type NewEvent, type Position, type StoredEvent } from '../kernel/event';

/** What the writer believes about the stream: it does not exist, or its last event has this revision. */
export type ExpectedRevision = 'no_stream' | number;

/** A stream of which the store has no longer every event: it was truncated, deleted or closed for good behind rowgraph's back. */
export interface BrokenStream {
  readonly kind: 'broken_stream';
  readonly streamId: string;
  readonly reason: string;
}

export type AppendError =
  /** Someone else appended first. `actual` is the last revision, null when the stream does not exist. */
  | { readonly kind: 'wrong_expected_revision'; readonly streamId: string; readonly actual: number | null }
  /** The events exceed the limit of one append. */
  | { readonly kind: 'too_large'; readonly streamId: string; readonly bytes: number; readonly maxBytes: number }
  /** A text that not every store can keep: NUL or half a surrogate pair. `field` is its path in the event, as `data.name`. */
  | { readonly kind: 'invalid_text'; readonly streamId: string; readonly field: string }
  | BrokenStream
  /**
   * The append was sent, again and again with the same ids at the same revision, and no answer came. It may have been
   * written, and it may still be written after this answer.
   */
  | { readonly kind: 'unknown_outcome'; readonly streamId: string; readonly reason: string }
  /** Nothing was sent; nothing was written and nothing will be. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type ReadError = BrokenStream | { readonly kind: 'unavailable'; readonly reason: string };

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

/** Which events of the feed are wanted; without types all. */
export interface FeedFilter {
  readonly types?: readonly string[];
}

export interface FeedPage {
  readonly events: readonly StoredEvent[];
  /**
   * Everything up to here has been looked at; continue after it. The position of an event of this log, whether the
   * filter wants it or not; equals `after` when there was nothing new.
   */
  readonly position: Position;
}

/** Notifications of new events, for a reader that is up to date. */
export interface FeedNews {
  /** Another number after every word. */
  readonly version: number;
  /** Whether no event after this position was announced. */
  isLast(position: Position): boolean;
  /** Resolves when something came after `version`, when `timeoutMs` have passed, or when `signal` aborts. */
  waitAfter(version: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * The log of everything that happened. One append writes to one stream. There are no server-side projections,
 * persistent subscriptions or multi-stream appends, because not every store has them.
 */
export interface EventStore {
  /**
   * Appends atomically. Appending the same event ids again at the same expected revision succeeds with the position and
   * revision of the first time, while the stream continues from that revision. `events` is not empty.
   */
  append(
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Either<AppendError, Appended>>;

  /** The events of a stream in the order asked for; an unknown stream has none. */
  readStream(streamId: string, options?: ReadStreamOptions): Promise<Either<ReadError, readonly StoredEvent[]>>;

  /** The event at exactly this position; null when none of this log is there. */
  readAt(position: Position): Promise<Either<ReadError, StoredEvent | null>>;

  /** Up to `limit` events after a position, in the order they became visible. */
  readAll(after: Position, limit: number, filter?: FeedFilter): Promise<Either<ReadError, FeedPage>>;

  /**
   * Pages of the feed after a position: first what is there, then what comes, until `signal` aborts. The next page is
   * read when the consumer asks for it (back-pressure); connection losses are retried within. A page may be empty
   * when only its position moved on. With `news` of its own the subscription is woken by that instead of by every
   * append, and looks four times a second.
   */
  subscribeAll(
    after: Position,
    options: {
      readonly filter?: FeedFilter;
      readonly batchSize?: number;
      readonly news?: FeedNews;
      readonly signal: AbortSignal;
    },
  ): AsyncIterable<FeedPage>;

  /** Position of the last event of this log, `START` when there is none. */
  head(): Promise<Either<ReadError, Position>>;
}
