import { type Either } from 'fp-ts/Either';
import { type RowgraphEvent } from '../events';
import { type DomainError } from '../kernel/errors';
import { type Position, type StoredEvent } from '../kernel/event';
import { needsNewerVersion, type UnreadableEvent } from '../kernel/event-catalogue';
import { type ParkedEventStore } from './parked-events';

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
  | { readonly kind: 'try_later'; readonly error: TryLater };

export type TryLater = DomainError<'SERVICE_UNAVAILABLE' | 'CONFLICT' | 'INTERNAL_ERROR'>;

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
  take(): Promise<Either<DeliveryFailure, void>>;
}

/** Applies the events of a page. */
export interface FeedBatch {
  /** The streams with parked events; may include some whose events have been applied since. */
  readonly held: ReadonlySet<string>;
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
