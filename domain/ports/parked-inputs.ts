import { type Position, type StoredEvent } from '../kernel/event';

/** The name under which the processes read the feed. */
export const PROCESSES = 'processes';

/** An event that is set aside for a stream. */
export interface ParkedInput {
  readonly position: Position;
  readonly eventStreamId: string;
  readonly eventRevision: number;
}

/**
 * Events the processes could not take in, by the stream they are held back for: that of the process, or that of the
 * event itself when it could not be read. All calls may be repeated, and reject when the store is away.
 */
export interface ParkedInputs {
  /** The streams for which anything is parked. */
  heldStreams(): Promise<ReadonlySet<string>>;
  /** Sets an event aside that could not be taken in. */
  park(streamId: string, event: StoredEvent, error: string, attempts: number): Promise<void>;
  /** Sets an event aside behind others; false when there are none any more, and then nothing is changed. */
  parkBehind(streamId: string, event: StoredEvent): Promise<boolean>;
  firstOf(streamId: string): Promise<ParkedInput | null>;
  recordFailure(streamId: string, position: Position, error: string): Promise<void>;
  remove(streamId: string, position: Position): Promise<void>;
}
