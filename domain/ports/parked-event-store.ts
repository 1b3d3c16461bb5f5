import { type Position, type StoredEvent } from '../kernel/event';

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
