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
  /** How many were taken in. */
  readonly applied: number;
  /** Why the next one could not be; it and the later ones of the stream stay parked. Null: all are taken in. */
  readonly error: string | null;
}

/**
 * Takes in again what consumers of the feed (projections, and `processes`) have set aside by stream: the event that
 * failed and the later ones behind it. Calls reject when the database is away, and may be repeated.
 */
export interface ParkedEventRetry {
  /** Null when nothing of the stream is parked for this reader, or there is no such reader. */
  firstOf(reader: string, streamId: string): Promise<FirstParked | null>;
  /**
   * Takes in what is parked of a stream, in order, until one fails. When `skip` is the position of the first one, that
   * is dropped for good before.
   */
  retry(reader: string, streamId: string, skip: Position | null): Promise<Either<TryLater, Retried>>;
}
