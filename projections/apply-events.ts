import { isLeft } from 'fp-ts/Either';
import { type PoolClient } from 'pg';
import { allEvents } from '../domain/events';
import { type StoredEvent } from '../domain/kernel/event';
import { decodeEvent } from '../domain/kernel/event-catalogue';
import { type EventHandlers, type Projection, type Sql } from './projection';
import { sqlOf } from './projection-tables';

type AnyHandler = (event: StoredEvent, sql: Sql) => Promise<void>;

/** The handler of an event type, if the projection has one. */
export const handlerOf = (on: EventHandlers, type: string): AnyHandler | undefined =>
  // The catalogue decodes an event under its own type name before its handler sees it.
  Object.hasOwn(on, type) ? (on[type as keyof EventHandlers] as AnyHandler | undefined) : undefined;

/** Applies events in order inside the caller's transaction. An event that cannot be read stops the projection. */
export const applyEvents = async (
  client: PoolClient,
  projection: Projection,
  events: readonly StoredEvent[],
): Promise<void> => {
  const sql = sqlOf(client);
  for (const event of events) {
    const handler = handlerOf(projection.on, event.type);
    if (handler === undefined) continue;
    const decoded = decodeEvent(allEvents, event);
    if (isLeft(decoded)) throw new Error(`Projection ${projection.name} stopped: ${decoded.left.message}`);
    await handler(decoded.right, sql);
  }
};
