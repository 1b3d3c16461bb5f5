import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PoolClient } from 'pg';
import { allEvents, type RowgraphEvent } from '../domain/events';
import { type Position, type StoredEvent } from '../domain/kernel/event';
import { decodeEvent, type UnreadableEvent } from '../domain/kernel/event-catalogue';
import { type FeedPage } from '../domain/ports/event-store';
import { type EventHandlers, type Projection, type Sql } from './projection';
import { sqlOf } from './projection-tables';

type ReadableEvent = StoredEvent<RowgraphEvent>;
type AnyHandler = (event: ReadableEvent, sql: Sql) => Promise<void>;

/** An event of the feed with what could be read of it. */
export interface FeedEvent {
  readonly stored: StoredEvent;
  readonly readable: Either<UnreadableEvent, ReadableEvent>;
}

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

/** The handler of an event type, if the projection has one. */
export const handlerOf = (on: EventHandlers, type: string): AnyHandler | undefined =>
  // The catalogue decodes an event under its own type name before its handler sees it.
  Object.hasOwn(on, type) ? (on[type as keyof EventHandlers] as AnyHandler | undefined) : undefined;

/** Thrown for an event that cannot be applied, while the database is well. */
export class EventFailed extends Error {}

const applyEvent = async (sql: Sql, { on }: Projection, { stored, readable }: FeedEvent): Promise<void> => {
  const handler = handlerOf(on, stored.type);
  if (handler === undefined) return;
  if (isLeft(readable)) throw new EventFailed(readable.left.message);
  await handler(readable.right, sql);
};

/** Applies events in order inside the caller's transaction, all or none. */
export const applyEvents = async (
  client: PoolClient,
  projection: Projection,
  events: readonly FeedEvent[],
): Promise<void> => {
  const sql = sqlOf(client);
  for (const event of events) {
    try {
      await applyEvent(sql, projection, event);
    } catch (error) {
      if (isTroubleOfDatabase(error)) throw error;
      const { type, streamId, revision, position } = event.stored;
      const where = `${type} at position ${position} (${streamId}@${revision})`;
      throw new EventFailed(`${projection.name} cannot apply ${where}: ${messageOf(error)}`);
    }
  }
};

/** Applies one event so that the transaction goes on when it fails; then the reason is the answer. */
export const tryEvent = async (
  client: PoolClient,
  projection: Projection,
  event: FeedEvent,
): Promise<Either<string, void>> => {
  await client.query('SAVEPOINT event');
  try {
    await applyEvent(sqlOf(client), projection, event);
    await client.query('RELEASE SAVEPOINT event');
    return right(undefined);
  } catch (error) {
    // Without the database this fails, too, and the event is not to blame.
    await client.query('ROLLBACK TO SAVEPOINT event');
    if (isTroubleOfDatabase(error)) throw error;
    return left(messageOf(error));
  }
};

/**
 * SQLSTATE classes that blame the server or the moment: lost connections, transaction states, deadlocks, missing
 * resources, locks, operators, the system below.
 */
const DATABASE_TROUBLE = /^(08|25|40|53|55|57|58|XX)/;

const isTroubleOfDatabase = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && DATABASE_TROUBLE.test(error.code);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
