import { type Either } from 'fp-ts/Either';
import { type Position } from '../kernel/event';
import { type TryLater } from './feed-consumer';

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
