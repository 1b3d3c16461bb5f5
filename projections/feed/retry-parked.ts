import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import {
  type DeliveryFailure,
  deliveryFailure,
  type FeedBatch,
  type FeedConsumer,
  type TryLater,
} from '../../domain/ports/feed-consumer';
import { type Retried } from '../../domain/ports/parked-event-retry';
import { type ParkedEvent } from '../../domain/ports/parked-event-store';
import { readFailed } from '../../domain/ports/read-failed';
import { readFeedEvent } from './feed-page';

/** Events per repair: readers wait for it. */
const CHUNK = 200;

/**
 * Applies the parked events of a stream in order, after removing the first one when it is the one to skip. Stops at
 * one that fails: that and the later ones stay parked. When all are applied the stream is no longer held back. Left
 * when the log is away: it is read before, so that no reader waits for it.
 */
export const retryParked = async (
  consumer: FeedConsumer,
  store: EventStore,
  streamId: string,
  skip: Position | null,
): Promise<Either<TryLater, Retried>> => {
  let applied = 0;
  for (;;) {
    const rows = await consumer.repair(async ({ parked }) => right(await parked.parkedFor(streamId, CHUNK)));
    const events = isLeft(rows) ? rows : await readParked(store, rows.right, skip);
    if (isLeft(events)) return events;
    const step = await consumer.repair((batch) => retryChunk(batch, events.right, streamId, skip));
    if (isLeft(step)) return step;
    applied += step.right.applied;
    if (step.right.isEnd) return right({ applied, error: step.right.error });
  }
};

/** An event as it was read, or why it cannot be any more. */
type ReadParked = ReadonlyMap<Position, Either<string, StoredEvent>>;

/** Reads parked events up to the first that is not there; the one to skip need not be. */
const readParked = async (
  store: EventStore,
  rows: readonly ParkedEvent[],
  skip: Position | null,
): Promise<Either<TryLater, ReadParked>> => {
  const events = new Map<Position, Either<string, StoredEvent>>();
  for (const [index, { position, eventStreamId, eventRevision }] of rows.entries()) {
    if (index === 0 && position === skip) continue;
    const read = await store.readStream(eventStreamId, { fromRevision: eventRevision, limit: 1 });
    if (isLeft(read) && read.left.kind === 'unavailable') return left(readFailed(read.left));
    const event = isLeft(read) ? undefined : read.right.find(({ revision }) => revision === eventRevision);
    const missing = isLeft(read)
      ? readFailed(read.left).message
      : `${eventStreamId}@${eventRevision} is not in the log.`;
    events.set(position, event === undefined ? left(missing) : right(event));
    if (event === undefined) break;
  }
  return right(events);
};

const retryChunk = async (
  batch: FeedBatch,
  events: ReadParked,
  streamId: string,
  skip: Position | null,
): Promise<Either<TryLater, Retried & { readonly isEnd: boolean }>> => {
  const rows = await batch.parked.parkedFor(streamId, CHUNK);
  let applied = 0;
  for (const [index, { position }] of rows.entries()) {
    if (index > 0 || position !== skip) {
      const event = events.get(position);
      // Parked since the log was read: the next round reads it.
      if (event === undefined) return right({ applied, error: null, isEnd: false });
      const taken = isLeft(event) ? left(notThere(event.left)) : await takeParked(batch, streamId, event.right);
      if (isLeft(taken)) {
        const { kind, error } = taken.left;
        if (kind === 'try_later') return left(error);
        await batch.parked.recordFailure(streamId, position, error.message);
        return right({ applied, error: error.message, isEnd: true });
      }
      applied += 1;
    }
    await batch.parked.remove(streamId, position);
  }
  return right({ applied, error: null, isEnd: rows.length === 0 });
};

const notThere = (message: string): DeliveryFailure => deliveryFailure(domainError('INTERNAL_ERROR', message));

const takeParked = async (
  batch: FeedBatch,
  streamId: string,
  event: StoredEvent,
): Promise<Either<DeliveryFailure, void>> => {
  for (const delivery of batch.deliveries(readFeedEvent(event), true)) {
    if (delivery.streamId !== streamId) {
      // An unreadable event was held back from all streams it concerns; any other from this stream only.
      if (streamId !== event.streamId || (await batch.parked.parkBehind(delivery.streamId, event))) continue;
    }
    const taken = await delivery.take();
    if (isLeft(taken)) return taken;
  }
  return right(undefined);
};
