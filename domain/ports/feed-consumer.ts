import { type Either } from 'fp-ts/Either';
import { type RowgraphEvent } from '../events';
import { type DomainError } from '../kernel/errors';
import { type Position, type StoredEvent } from '../kernel/event';
import { needsNewerVersion, type UnreadableEvent } from '../kernel/event-catalogue';

/** The name under which the processes read the feed. */
export const PROCESSES = 'processes';

/** An event of the feed, decoded if possible. */
export interface FeedEvent {
  readonly stored: StoredEvent;
  readonly readable: Either<UnreadableEvent, StoredEvent<RowgraphEvent>>;
}

/** Why an event was not applied. */
export type DeliveryFailure =
  /**
   * The event, or the code that applies it, is at fault; the delivery is retried a few times and the event is then
   * parked.
   */
  | { readonly kind: 'event_failed'; readonly error: DomainError }
  /** A temporary failure; the reader stops and retries. */
  | { readonly kind: 'try_later'; readonly error: TemporaryError };

export type TemporaryError = DomainError<'SERVICE_UNAVAILABLE' | 'CONFLICT' | 'INTERNAL_ERROR'>;

/** Classifies an error: `try_later` if the store or the version of rowgraph is at fault, else `event_failed`. */
export const deliveryFailure = (error: DomainError): DeliveryFailure =>
  error.code === 'SERVICE_UNAVAILABLE' ||
  error.code === 'CONFLICT' ||
  (error.code === 'INTERNAL_ERROR' && needsNewerVersion(error))
    ? { kind: 'try_later', error }
    : { kind: 'event_failed', error };

/** The delivery of an event to one of its targets. */
export interface Delivery {
  /** The stream whose events are held back when the event cannot be applied. */
  readonly streamId: string;
  apply(): Promise<Either<DeliveryFailure, void>>;
}

/** Applies the events of a page. */
export interface FeedBatch {
  /** The streams with parked events; may include some whose events have been applied since. */
  readonly heldStreams: ReadonlySet<string>;
  readonly parked: ParkedEventStore;
  /** The deliveries of an event. `mayFail`: the rest of the batch must continue when a delivery fails. */
  deliveries(event: FeedEvent, mayFail: boolean): readonly Delivery[];
  /** Applies the deliveries that may not fail; none of them is applied before. */
  flush(): Promise<Either<DeliveryFailure, void>>;
}

/** The progress of a consumer. The epoch identifies its target tables, so that every reader detects a rebuild. */
export interface Checkpoint {
  readonly position: Position;
  readonly epoch: number;
}

/** The checkpoint has changed since it was loaded: another reader advanced it, or there was a rebuild. */
export interface CheckpointMoved {
  readonly kind: 'checkpoint_moved';
}

/** A consumer of the feed: a projection, or the processes. Calls reject when its store is unavailable. */
export interface FeedConsumer {
  readonly name: string;
  listensTo(type: string): boolean;
  /** Returns the checkpoint; creates the tables at the first start. */
  checkpoint(): Promise<Checkpoint>;
  /**
   * Runs `work` and advances the checkpoint atomically, unless the work may be repeated; then the checkpoint advances
   * last. Everything is rolled back when the work returns left.
   */
  advance<F, A>(
    from: Checkpoint,
    to: Position,
    work: (batch: FeedBatch) => Promise<Either<F, A>>,
  ): Promise<Either<F | CheckpointMoved, A>>;
  /** Runs `work` on the parked events while all readers are locked out. */
  repair<F, A>(work: (batch: FeedBatch) => Promise<Either<F, A>>): Promise<Either<F, A>>;
}

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
  parkIfBlocked(streamId: string, event: StoredEvent): Promise<boolean>;
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
export interface RetryOutcome {
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
  retry(reader: string, streamId: string, skip: Position | null): Promise<Either<TemporaryError, RetryOutcome>>;
}

/** Positions of the named readers of the feed. Calls reject when the store is unavailable. */
export interface CheckpointStore {
  /** `START` for an unknown name. */
  load(name: string): Promise<Position>;
  /** Advances from the loaded position; false when another reader advanced it meanwhile. */
  advance(name: string, from: Position, to: Position): Promise<boolean>;
}
