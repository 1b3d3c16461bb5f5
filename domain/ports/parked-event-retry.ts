import { type Either } from 'fp-ts/Either';
import { type Position } from '../kernel/event';
import { type TryLater } from './feed-consumer';

/** The first parked event of a stream: the one that failed. */
export interface FirstParked {
  readonly position: Position;
  readonly eventType: string;
}

/** What came of taking parked events in again. */
export interface Retried {
  /** The number of applied events. */
  readonly applied: number;
  /** Why the next one could not be; it and the later ones of the stream stay parked. Null: all are applied. */
  readonly error: string | null;
}

/**
 * Applies the events again that consumers of the feed (projections, and `processes`) have parked by stream: the event
 * that failed and the later ones after it. Calls reject when the database is away, and may be repeated.
 */
export interface ParkedEventRetry {
  /** Null when nothing of the stream is parked for this reader, or the reader does not exist. */
  firstOf(reader: string, streamId: string): Promise<FirstParked | null>;
  /**
   * Applies the parked events of a stream, in order, until one fails. When `skip` is the position of the first one, that
   * one is dropped for good before.
   */
  retry(reader: string, streamId: string, skip: Position | null): Promise<Either<TryLater, Retried>>;
}
