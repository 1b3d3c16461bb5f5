import { isLeft } from 'fp-ts/Either';
import { allEvents, knownTypesOf } from '../../domain/events';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import { type FeedEvent } from '../../domain/ports/feed-consumer';

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
