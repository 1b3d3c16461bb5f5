import { type Position, type StoredEvent } from '../kernel/event';
import { type Either } from 'fp-ts/Either';
import { type TryLater } from './feed-consumer';

/** An event parked for a stream. */
export interface ParkedEvent {
  readonly position: Position;
  readonly eventStreamId: string;
  readonly eventRevision: number;
}

/**
 * The events that one consumer of the feed could not apply, by stream. All calls may be repeated, and reject when the
 * store is unavailable.
 */
export interface ParkedEventStore {
  /** The streams with parked events. */
  heldStreams(): Promise<ReadonlySet<string>>;
  /** Parks an event that could not be applied. */
  park(streamId: string, event: StoredEvent, error: string, attempts: number): Promise<void>;
  /** Parks an event behind earlier ones; returns false and does nothing when the stream no longer has parked events. */
  parkBehind(streamId: string, event: StoredEvent): Promise<boolean>;
  /** The first `limit` parked events of a stream, in order. */
  parkedFor(streamId: string, limit: number): Promise<readonly ParkedEvent[]>;
  recordFailure(streamId: string, position: Position, error: string): Promise<void>;
  remove(streamId: string, position: Position): Promise<void>;
}

/** The first parked event of a stream: the one that failed. */
export interface FirstParked {
  readonly position: Position;
  readonly eventType: string;
}

/** The result of a retry of parked events. */
export interface Retried {
  /** The number of applied events. */
  readonly applied: number;
  /** Why the next event failed; it and the later events of the stream stay parked. Null: all were applied. */
  readonly error: string | null;
}

/**
 * Retries the events that consumers of the feed (projections, and `processes`) have parked by stream: the failed event
 * and the later ones. Calls reject when the database is unavailable, and may be repeated.
 */
export interface ParkedEventRetry {
  /** Null when the stream has no parked events for this reader, or the reader does not exist. */
  firstOf(reader: string, streamId: string): Promise<FirstParked | null>;
  /**
   * Applies the parked events of a stream, in order, until one fails. If `skip` is the position of the first one, that
   * event is dropped permanently before.
   */
  retry(reader: string, streamId: string, skip: Position | null): Promise<Either<TryLater, Retried>>;
}
