import { isLeft } from 'fp-ts/Either';
import { allEvents } from '../../domain/events';
import { type Position, type StoredEvent } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import { type FeedPage } from '../../domain/ports/event-store';
import { type FeedEvent } from '../../domain/ports/feed-consumer';

/** A page of the feed up to its end, or up to the first event of a type this version of rowgraph does not know. */
export interface ReadablePage {
  readonly events: readonly FeedEvent[];
  readonly position: Position;
  /** Why the page ends early: nothing after that event may be applied, and it is never skipped. */
  readonly stoppedBy: string | null;
}

export const readFeedEvent = (stored: StoredEvent): FeedEvent => ({ stored, readable: decodeEvent(allEvents, stored) });

/** Decodes a page that begins after `from`. */
export const readablePage = (page: FeedPage, from: Position): ReadablePage => {
  const events: FeedEvent[] = [];
  for (const stored of page.events) {
    const event = readFeedEvent(stored);
    if (isLeft(event.readable) && event.readable.left.kind === 'unknown_type') {
      return { events, position: events.at(-1)?.stored.position ?? from, stoppedBy: event.readable.left.message };
    }
    events.push(event);
  }
  return { events, position: page.position, stoppedBy: null };
};
