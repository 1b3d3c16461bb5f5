import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { type Position } from '../../domain/kernel/event';
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
import { readFeedEvent } from './feed-page';

/** Events per repair: readers wait for it. */
const CHUNK = 200;

/**
 * Takes in what is parked for a stream in order, after taking out the first event when it is the one to skip. Stops at
 * one that fails: that and the later ones stay parked. When all are taken in the stream is held back no longer. Left
 * when the store is away.
 */
export const retryParked = async (
  consumer: FeedConsumer,
  store: EventStore,
  streamId: string,
  skip: Position | null,
): Promise<Either<TryLater, Retried>> => {
  let applied = 0;
  for (;;) {
    const step = await consumer.repair((batch) => retryChunk(batch, store, streamId, skip));
    if (isLeft(step)) return step;
    applied += step.right.applied;
    if (step.right.isEnd) return right({ applied, error: step.right.error });
  }
};

const retryChunk = async (
  batch: FeedBatch,
  store: EventStore,
  streamId: string,
  skip: Position | null,
): Promise<Either<TryLater, Retried & { readonly isEnd: boolean }>> => {
  const rows = await batch.parked.parkedFor(streamId, CHUNK);
  let applied = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0 || row.position !== skip) {
      const taken = await takeParked(batch, store, streamId, row);
      if (isLeft(taken)) {
        const { kind, error } = taken.left;
        if (kind === 'try_later') return left(error);
        await batch.parked.recordFailure(streamId, row.position, error.message);
        return right({ applied, error: error.message, isEnd: true });
      }
      applied += 1;
    }
    await batch.parked.remove(streamId, row.position);
  }
  return right({ applied, error: null, isEnd: rows.length === 0 });
};

const takeParked = async (
  batch: FeedBatch,
  store: EventStore,
  streamId: string,
  { eventStreamId, eventRevision }: ParkedEvent,
): Promise<Either<DeliveryFailure, void>> => {
  const read = await store.readStream(eventStreamId, { fromRevision: eventRevision, limit: 1 });
  const event = isLeft(read) ? undefined : read.right[0];
  if (event === undefined) {
    const message = `${eventStreamId}@${eventRevision} could not be read. Nothing was changed; try again.`;
    return left(deliveryFailure(domainError('SERVICE_UNAVAILABLE', message)));
  }
  for (const delivery of batch.deliveries(readFeedEvent(event), true)) {
    if (delivery.streamId !== streamId) {
      // An event nobody could read was held back from everyone it concerns; any other for this stream only.
      if (streamId !== eventStreamId || (await batch.parked.parkBehind(delivery.streamId, event))) continue;
    }
    const taken = await delivery.take();
    if (isLeft(taken)) return taken;
  }
  return right(undefined);
};
