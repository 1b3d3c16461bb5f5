import { isLeft } from 'fp-ts/Either';
import { type PoolClient } from 'pg';
import { allEvents, type RowgraphEvent } from '../domain/events';
import { type Position, type StoredEvent } from '../domain/kernel/event';
import { decodeEvent } from '../domain/kernel/event-catalogue';
import { type FeedPage } from '../domain/ports/event-store';
import { type EventHandlers, type Projection, type Sql } from './projection';
import { sqlOf } from './projection-tables';

type ReadableEvent = StoredEvent<RowgraphEvent>;
type AnyHandler = (event: ReadableEvent, sql: Sql) => Promise<void>;

/** A page of the feed up to its end, or up to the first event this version of rowgraph cannot read. */
export interface ReadablePage {
  readonly events: readonly ReadableEvent[];
  readonly position: Position;
  /** Why the page ends early: nothing after that event may be applied, and it is never skipped. */
  readonly stoppedBy: string | null;
}

/** Decodes a page that begins after `from`. */
export const readablePage = (page: FeedPage, from: Position): ReadablePage => {
  const events: ReadableEvent[] = [];
  for (const stored of page.events) {
    const event = decodeEvent(allEvents, stored);
    if (isLeft(event)) return { events, position: events.at(-1)?.position ?? from, stoppedBy: event.left.message };
    events.push(event.right);
  }
  return { events, position: page.position, stoppedBy: null };
};

/** The handler of an event type, if the projection has one. */
export const handlerOf = (on: EventHandlers, type: string): AnyHandler | undefined =>
  // The catalogue decodes an event under its own type name before its handler sees it.
  Object.hasOwn(on, type) ? (on[type as keyof EventHandlers] as AnyHandler | undefined) : undefined;

/** Applies events in order inside the caller's transaction. */
export const applyEvents = async (
  client: PoolClient,
  projection: Projection,
  events: readonly ReadableEvent[],
): Promise<void> => {
  const sql = sqlOf(client);
  for (const event of events) await handlerOf(projection.on, event.type)?.(event, sql);
};
