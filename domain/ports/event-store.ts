import { type Either } from 'fp-ts/Either';
import { type DomainError, domainError, unavailable } from '../kernel/errors';
import { type NewEvent, type Position, type StoredEvent } from '../kernel/event';

/** The expected state of the stream: it does not exist, or its last event has this revision. */
export type ExpectedRevision = 'no_stream' | number;

/** A stream with missing events: it was truncated, deleted or tombstoned by something other than rowgraph. */
export interface BrokenStream {
  readonly kind: 'broken_stream';
  readonly streamId: string;
  readonly reason: string;
}

export type AppendError =
  /** Another writer appended first. `actual` is the last revision, null when the stream does not exist. */
  | { readonly kind: 'wrong_expected_revision'; readonly streamId: string; readonly actual: number | null }
  /** The events exceed the limit of one append. */
  | { readonly kind: 'too_large'; readonly streamId: string; readonly bytes: number; readonly maxBytes: number }
  /**
   * A text that not every store can keep: NUL or half a surrogate pair. `field` is its path in the event, as
   * `data.name`.
   */
  | { readonly kind: 'invalid_text'; readonly streamId: string; readonly field: string }
  | BrokenStream
  /**
   * The append was sent and retried with the same ids at the same revision, without a response. It may have been
   * written, or may still be written later.
   */
  | { readonly kind: 'unknown_outcome'; readonly streamId: string; readonly reason: string }
  /** The append was not sent; nothing was written or will be. */
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
  /** Maximum number of events. Default: all. */
  readonly limit?: number;
}

/** Filters the feed by event type; without `types`: all events. */
export interface FeedFilter {
  readonly types?: readonly string[];
}

export interface FeedPage {
  readonly events: readonly StoredEvent[];
  /**
   * The position up to which the feed was scanned; continue after it. It may be the position of an event that the
   * filter excludes; equals `after` when there were no new events.
   */
  readonly position: Position;
}

/** Notifications of new events, for a reader that is up to date. */
export interface FeedNotifications {
  /** Changes with every notification. */
  readonly version: number;
  /** Whether no event after this position was announced. */
  isLast(position: Position): boolean;
  /** Resolves on a notification after `version`, after `timeoutMs`, or when `signal` aborts. */
  waitAfter(version: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * The event log. One append writes to one stream. There are no server-side projections,
 * persistent subscriptions or multi-stream appends, because not every store has them.
 */
export interface EventStore {
  /**
   * Appends atomically. A repeated append of the same event ids at the same expected revision succeeds and returns the
   * original position and revision. `events` is not empty.
   */
  append(
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Either<AppendError, Appended>>;

  /** The events of a stream in the requested order; empty for an unknown stream. */
  readStream(streamId: string, options?: ReadStreamOptions): Promise<Either<ReadError, readonly StoredEvent[]>>;

  /** The event at exactly this position; null if this log has none there. */
  readAt(position: Position): Promise<Either<ReadError, StoredEvent | null>>;

  /** Up to `limit` events after a position, in the order they became visible. */
  readAll(after: Position, limit: number, filter?: FeedFilter): Promise<Either<ReadError, FeedPage>>;

  /**
   * Pages of the feed after a position: the existing events, then new ones as they are appended, until `signal` aborts.
   * Each page is read when the consumer requests it (back-pressure); lost connections are retried. A page may be empty
   * and only advance the position. `notifications` wake the subscription instead of every append, and it also polls
   * four times a second.
   */
  subscribeAll(
    after: Position,
    options: {
      readonly filter?: FeedFilter;
      readonly batchSize?: number;
      readonly notifications?: FeedNotifications;
      readonly signal: AbortSignal;
    },
  ): AsyncIterable<FeedPage>;

  /** Position of the last event of this log, `START` when there is none. */
  head(): Promise<Either<ReadError, Position>>;
}

/** The identity of a log. The id is stored in the log itself, so that it is lost, restored and copied with the log. */
export interface LogIdentity {
  /** Null: the log has no id yet. */
  read(): Promise<Either<ReadError, string | null>>;
  /** Sets the id of the log unless it has one; returns the id of the log. */
  ensure(id: string): Promise<Either<ReadError | AppendError, string>>;
}

/** The error for a stream with missing events, which must not be folded. */
export const streamIsBroken = ({ streamId, reason }: BrokenStream): DomainError<'INTERNAL_ERROR'> =>
  domainError(
    'INTERNAL_ERROR',
    `The event store has lost events of ${streamId}: ${reason}. Nothing was changed; see docs/operations/runbooks/event-store.md.`,
  );

/** The error of a failed read of the log. */
export const readFailed = (error: ReadError): DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'> =>
  error.kind === 'broken_stream' ? streamIsBroken(error) : unavailable('The event store', error.reason);
