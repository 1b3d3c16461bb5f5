import { type Position, type StoredEvent } from '../kernel/event';

/** An event that is set aside for a stream. */
export interface ParkedEvent {
  readonly position: Position;
  readonly eventStreamId: string;
  readonly eventRevision: number;
}

/**
 * The events one consumer of the feed could not apply, by the stream they are held back for. All calls may be
 * repeated, and reject when the store is away.
 */
export interface ParkedEventStore {
  /** The streams for which anything is parked. */
  heldStreams(): Promise<ReadonlySet<string>>;
  /** Parks an event that could not be applied. */
  park(streamId: string, event: StoredEvent, error: string, attempts: number): Promise<void>;
  /** Sets an event aside behind others; false when there are none any more, and then nothing is changed. */
  parkBehind(streamId: string, event: StoredEvent): Promise<boolean>;
  /** What is parked for a stream, in order, the first `limit`. */
  parkedFor(streamId: string, limit: number): Promise<readonly ParkedEvent[]>;
  recordFailure(streamId: string, position: Position, error: string): Promise<void>;
  remove(streamId: string, position: Position): Promise<void>;
}
