import { type Either } from 'fp-ts/Either';
import { type RowgraphEvent } from '../events';
import { type DomainError } from '../kernel/errors';
import { type Position, type StoredEvent } from '../kernel/event';
import { needsNewerVersion, type UnreadableEvent } from '../kernel/event-catalogue';
import { type ParkedEventStore } from './parked-event-store';

/** The name under which the processes read the feed. */
export const PROCESSES = 'processes';

/** An event of the feed with what could be read of it. */
export interface FeedEvent {
  readonly stored: StoredEvent;
  readonly readable: Either<UnreadableEvent, StoredEvent<RowgraphEvent>>;
}

/** Why an event was not applied. */
export type DeliveryFailure =
  /** The event, or the code that takes it in, is to blame; it is tried a few times and then parked. */
  | { readonly kind: 'event_failed'; readonly error: DomainError }
  /** A temporary failure; the reader stops and tries again. */
  | { readonly kind: 'try_later'; readonly error: TryLater };

export type TryLater = DomainError<'SERVICE_UNAVAILABLE' | 'CONFLICT' | 'INTERNAL_ERROR'>;

/** Whether to blame the event: neither the store nor the version of this program is at fault. */
export const deliveryFailure = (error: DomainError): DeliveryFailure =>
  error.code === 'SERVICE_UNAVAILABLE' ||
  error.code === 'CONFLICT' ||
  (error.code === 'INTERNAL_ERROR' && needsNewerVersion(error))
    ? { kind: 'try_later', error }
    : { kind: 'event_failed', error };

/** An event on its way to one that it concerns. */
export interface Delivery {
  /** The stream that is held back when the event cannot be applied. */
  readonly streamId: string;
  take(): Promise<Either<DeliveryFailure, void>>;
}

/** What the events of a page are applied with. */
export interface FeedBatch {
  /** The streams that are held back, and perhaps some that are no longer. */
  readonly held: ReadonlySet<string>;
  readonly parked: ParkedEventStore;
  /** The targets of an event. `mayFail`: the rest of the batch must continue when a delivery fails. */
  deliveries(event: FeedEvent, mayFail: boolean): readonly Delivery[];
  /** Completes deliveries that may not fail: before it none of them is applied. */
  flush(): Promise<Either<DeliveryFailure, void>>;
}

/** Where a consumer stands. The epoch names what it writes to, so that every reader notices a rebuild. */
export interface Checkpoint {
  readonly position: Position;
  readonly epoch: number;
}

/** The checkpoint is not where the reader left it: another reader was faster, or there was a rebuild. */
export interface CheckpointMoved {
  readonly kind: 'checkpoint_moved';
}

/** A consumer of the feed: a projection, or the processes. Calls reject when its store is away. */
export interface FeedConsumer {
  readonly name: string;
  listensTo(type: string): boolean;
  /** Where it stands; makes what it needs at its first start. */
  checkpoint(): Promise<Checkpoint>;
  /**
   * Does `work` and moves the checkpoint: both or nothing, unless the work may be repeated; then the checkpoint moves
   * last. Nothing is kept when the work answers left.
   */
  advance<F, A>(
    from: Checkpoint,
    to: Position,
    work: (batch: FeedBatch) => Promise<Either<F, A>>,
  ): Promise<Either<F | CheckpointMoved, A>>;
  /** Does `work` on what is parked, where no reader may overtake it. */
  repair<F, A>(work: (batch: FeedBatch) => Promise<Either<F, A>>): Promise<Either<F, A>>;
}
