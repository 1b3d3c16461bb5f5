import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore, readFailed } from '../../domain/ports/event-store';
import {
  type DeliveryFailure,
  deliveryFailure,
  type FeedBatch,
  type FeedConsumer,
  type ParkedEvent,
  type RetryOutcome,
  type TemporaryError,
} from '../../domain/ports/feed-consumer';
import { readFeedEvent } from './apply-events';

/** Events per repair, during which readers are locked out. */
const CHUNK = 200;

/**
 * Applies the parked events of a stream in order, after removing the first one if it is to be skipped. A failed event
 * and the later ones stay parked. When all are applied, the stream is no longer held back. Left if the log is
 * unavailable; it is read before the lock, so that readers do not wait for it.
 */
export const retryParked = async (
  consumer: FeedConsumer,
  store: EventStore,
  streamId: string,
  skip: Position | null,
): Promise<Either<TemporaryError, RetryOutcome>> => {
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

/** A parked event, or why it can no longer be read. */
type ReadParked = ReadonlyMap<Position, Either<string, StoredEvent>>;

/** Reads parked events up to the first missing one; the one to skip may be missing. */
const readParked = async (
  store: EventStore,
  rows: readonly ParkedEvent[],
  skip: Position | null,
): Promise<Either<TemporaryError, ReadParked>> => {
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
): Promise<Either<TemporaryError, RetryOutcome & { readonly isEnd: boolean }>> => {
  const rows = await batch.parked.parkedFor(streamId, CHUNK);
  let applied = 0;
  for (const [index, { position }] of rows.entries()) {
    if (index > 0 || position !== skip) {
      const event = events.get(position);
      // Parked after the log was read: the next round reads it.
      if (event === undefined) return right({ applied, error: null, isEnd: false });
      const result = isLeft(event) ? left(notThere(event.left)) : await applyParked(batch, streamId, event.right);
      if (isLeft(result)) {
        const { kind, error } = result.left;
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

const applyParked = async (
  batch: FeedBatch,
  streamId: string,
  event: StoredEvent,
): Promise<Either<DeliveryFailure, void>> => {
  for (const delivery of batch.deliveries(readFeedEvent(event), true)) {
    if (delivery.streamId !== streamId) {
      // An unreadable event was parked for its own stream, and so withheld from all targets; any other only for this
      // stream.
      if (streamId !== event.streamId || (await batch.parked.parkIfBlocked(delivery.streamId, event))) continue;
    }
    const applied = await delivery.apply();
    if (isLeft(applied)) return applied;
  }
  return right(undefined);
};
