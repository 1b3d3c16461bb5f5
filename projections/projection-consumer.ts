import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type ClientBase, type Pool, type PoolClient } from 'pg';
import { type RowgraphEvent } from '../domain/events';
import { domainError } from '../domain/kernel/errors';
import { type Position, type StoredEvent } from '../domain/kernel/event';
import { unreadable } from '../domain/kernel/event-catalogue';
import {
  type Checkpoint,
  type DeliveryFailure,
  deliveryFailure,
  type FeedBatch,
  type FeedConsumer,
  type FeedEvent,
  type ParkedEventStore,
} from '../domain/ports/feed-consumer';
import { BufferedTables, prepared } from './buffered-tables';
import { parkedEventTable } from './feed/parked-event-table';
import { type EventHandlers, type Projection, type TableWriter } from './projection';
import { inTransaction, loadCheckpoint, prepareProjection, searchPathOf, useSchema } from './projection-tables';

/**
 * A projection as a consumer of the feed: rows, parked events and checkpoint change in one transaction. A lock on its
 * checkpoint serializes readers, repairs and parking.
 */
export const projectionConsumer = (pool: Pool, projection: Projection): FeedConsumer => {
  return {
    name: projection.name,
    listensTo: (type) => handlerOf(projection.on, type) !== undefined,
    checkpoint: () => prepareProjection(pool, projection),

    advance: (from, to, work) =>
      inTransaction(
        pool,
        async (client) => {
          const held = await moveCheckpoint(client, projection, from, to);
          if (held === null) return left({ kind: 'checkpoint_moved' });
          return work(projectionBatch(client, projection, held, parkedEventsOf(client, projection, from.epoch)));
        },
        isRight,
        searchPathOf(projection, from.epoch),
      ),

    repair: (work) =>
      inTransaction(
        pool,
        async (client) => {
          const epoch = (await loadCheckpoint(client, projection, 'FOR UPDATE'))?.epoch ?? 0;
          await useSchema(client, projection, epoch);
          return work(projectionBatch(client, projection, new Set(), parkedEventsOf(client, projection, epoch)));
        },
        isRight,
      ),
  };
};

/** The parked events of one epoch of a projection. */
export const parkedEventsOf = (client: PoolClient, { name, version }: Projection, epoch: number): ParkedEventStore =>
  parkedEventTable(client, { name, version, epoch });

/** Applies events to the tables on the search path, inside the caller's transaction. */
export const projectionBatch = (
  client: ClientBase,
  projection: Projection,
  held: ReadonlySet<string>,
  parked: ParkedEventStore,
): FeedBatch => {
  const tables = new BufferedTables(client);
  return {
    heldStreams: held,
    parked,
    deliveries: (event, mayFail) => {
      const apply = () => applyEvent(tables, projection, event);
      return [{ streamId: event.stored.streamId, apply: mayFail ? () => withSavepoint(client, tables, apply) : apply }];
    },
    flush: () => catchEventErrors(() => tables.flush()),
  };
};

/** The held-back streams; null when the checkpoint has changed. A retry may have released a stream since. */
const moveCheckpoint = async (
  client: PoolClient,
  { name, version }: Projection,
  { position, epoch }: Checkpoint,
  to: Position,
): Promise<ReadonlySet<string> | null> => {
  const { rows } = await client.query<{ held: readonly string[] }>(
    prepared(
      `UPDATE es.subscriptions SET position = $4 WHERE name = $1 AND version = $2 AND position = $3 AND epoch = $5
       RETURNING ARRAY(
         SELECT DISTINCT stream_id FROM es.parked WHERE reader = $1 AND version = $2 AND epoch = $5
       ) AS held`,
      [name, version, position, to, epoch],
    ),
  );
  return rows[0] === undefined ? null : new Set(rows[0].held);
};

type AnyHandler = (event: StoredEvent<RowgraphEvent>, tables: TableWriter) => Promise<void>;

/** The handler of an event type, if the projection has one. */
const handlerOf = (on: EventHandlers, type: string): AnyHandler | undefined =>
  // The catalogue decodes an event under its own type name before its handler sees it.
  Object.hasOwn(on, type) ? (on[type as keyof EventHandlers] as AnyHandler | undefined) : undefined;

type Applied = Either<DeliveryFailure, void>;

/** After a failure the transaction can only be rolled back. */
const applyEvent = async (
  tables: TableWriter,
  { on }: Projection,
  { stored, readable }: FeedEvent,
): Promise<Applied> => {
  if (isLeft(readable)) return left(deliveryFailure(unreadable(readable.left)));
  return catchEventErrors(async () => handlerOf(on, stored.type)?.(readable.right, tables));
};

/** Rejects when the database caused the failure. */
const catchEventErrors = async (write: () => Promise<void>): Promise<Applied> => {
  try {
    return right(await write());
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return left(deliveryFailure(domainError('INTERNAL_ERROR', message)));
  }
};

/** Writes an event completely. After a failure the transaction continues. */
const withSavepoint = async (
  client: ClientBase,
  tables: BufferedTables,
  apply: () => Promise<Applied>,
): Promise<Applied> => {
  await client.query('SAVEPOINT event');
  const outcome = await apply();
  const applied = isLeft(outcome) ? outcome : await catchEventErrors(() => tables.flush());
  if (isLeft(applied)) tables.discard();
  // This also rejects if the database is unavailable, so that the event does not count as failed.
  await client.query(isLeft(applied) ? 'ROLLBACK TO SAVEPOINT event' : 'RELEASE SAVEPOINT event');
  return applied;
};

/**
 * SQLSTATE classes of server or temporary failures: lost connections, transaction states, deadlocks, insufficient
 * resources, locks, operator intervention, system errors.
 */
const DATABASE_TROUBLE = /^(08|25|40|53|55|57|58|XX)/;

const isDatabaseError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && DATABASE_TROUBLE.test(error.code);
