import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { allEvents, knownTypesOf } from '../../domain/events';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import {
  type DeliveryFailure,
  deliveryFailure,
  type FeedBatch,
  type FeedEvent,
} from '../../domain/ports/feed-consumer';

/** An event that could not be applied, with the reason. Later events of that stream wait behind it. */
export interface NewlyParked {
  readonly streamId: string;
  readonly event: StoredEvent;
  readonly error: string;
}

/**
 * Applies events in order; events of held-back streams are parked. With `attempts` null the first failure ends the
 * batch. Otherwise a failed event is parked with that number of attempts, and the batch continues; returns the failed
 * events.
 */
export const applyEvents = async (
  batch: FeedBatch,
  events: readonly FeedEvent[],
  attempts: number | null,
): Promise<Either<DeliveryFailure, readonly NewlyParked[]>> => {
  const held = new Set(batch.heldStreams);
  const failed: NewlyParked[] = [];
  for (const event of events) {
    const { stored } = event;
    const waits = async (streamId: string): Promise<boolean> =>
      held.has(streamId) && (await batch.parked.parkIfBlocked(streamId, stored));
    if (await waits(stored.streamId)) continue;
    for (const delivery of batch.deliveries(event, attempts !== null)) {
      const { streamId } = delivery;
      if (await waits(streamId)) continue;
      const applied = await delivery.apply();
      if (!isLeft(applied)) continue;
      const { kind, error } = applied.left;
      if (attempts === null || kind === 'try_later') {
        const { type, position, revision } = stored;
        const where = `${type} at position ${position} (${stored.streamId}@${revision})`;
        return left(deliveryFailure({ ...error, message: `${where}: ${error.message}` }));
      }
      await batch.parked.park(streamId, stored, error.message, attempts);
      held.add(streamId);
      failed.push({ streamId, event: stored, error: error.message });
    }
  }
  const flushed = await batch.flush();
  return isLeft(flushed) ? flushed : right(failed);
};

/** Events in the order of the feed, and the position behind the last one that was read. */
export interface DecodedPage {
  readonly events: readonly FeedEvent[];
  readonly position: Position;
}

/** The events of a page for one consumer, up to the first event that only a newer version can read. */
export interface ReadablePage extends DecodedPage {
  /** Why the page ends early: the consumer must not apply or skip events from there on. */
  readonly stoppedBy: string | null;
}

export const readFeedEvent = (stored: StoredEvent): FeedEvent => ({ stored, readable: decodeEvent(allEvents, stored) });

/**
 * Selects the events of a page, which begins after `from`, for a consumer. An event of an unknown type is selected if
 * the consumer handles other events of that category of streams.
 */
export const pageFor = (listensTo: (type: string) => boolean, page: DecodedPage, from: Position): ReadablePage => {
  const events: FeedEvent[] = [];
  let position = from;
  for (const event of page.events) {
    const { stored, readable } = event;
    const isUnknown = isLeft(readable) && readable.left.kind === 'unknown_type';
    if (isUnknown && [stored.type, ...knownTypesOf(stored.streamId)].some(listensTo)) {
      return { events, position, stoppedBy: readable.left.message };
    }
    if (!isUnknown && listensTo(stored.type)) events.push(event);
    position = stored.position;
  }
  return { events, position: page.position, stoppedBy: null };
};
