import { isLeft, isRight } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type Lease, type LeaseStore } from '../domain/ports/lease-store';
import { type NewlyParked, pageFor, type ReadablePage, readFeedEvent, applyEvents } from './feed/apply-events';
import { type Projection } from './projection';
import { projectionBatch } from './projection-consumer';
import {
  createTables,
  exposeTables,
  inTransaction,
  loadCheckpoint,
  prepareProjection,
  schemaOf,
  useSchema,
} from './projection-tables';

export interface RebuildPorts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly leases: LeaseStore;
}

export interface RebuildResult {
  /** Number of events read. */
  readonly events: number;
  readonly parked: readonly NewlyParked[];
}

const PAGE = 5000;
/** Maximum number of events that are applied while the reader of the feed waits. */
const LAST_PAGE = 500;
/** Maximum number of attempts to catch up with the reader of the feed. */
const MAX_TRIES = 50;
/** Renewed with every page. */
const LEASE_SECONDS = 60;

/**
 * Rebuilds a projection from the first event while the current tables continue to serve, then switches to the new ones
 * in one transaction. Running readers detect the new epoch. Parked and skipped events are retried, and parked again if
 * they fail. Transactions are not held open while the log is read. Throws if a rebuild of the same projection is in
 * progress.
 */
export const rebuildProjection = async (ports: RebuildPorts, projection: Projection): Promise<RebuildResult> => {
  const { name, tables } = projection;
  if (tables === '') throw new Error(`${name} contains pending work and cannot be rebuilt; choose a read model.`);
  const lease = await ports.leases.acquire(`rebuild ${name}`, `process ${process.pid}`, LEASE_SECONDS);
  if (lease === null) {
    throw new Error(`${name} is being rebuilt already; wait until that has ended, or a minute if it was killed.`);
  }
  try {
    return await rebuild(ports, lease, projection);
  } finally {
    await ports.leases.release(lease).catch(() => undefined);
  }
};

const rebuild = async (
  { pool, store, leases }: RebuildPorts,
  lease: Lease,
  projection: Projection,
): Promise<RebuildResult> => {
  const live = await prepareProjection(pool, projection);
  const next = await openNextEpoch(pool, projection, live.epoch);
  let events = 0;
  let position = START;
  let reader = live.position;
  for (let tries = 0; tries < MAX_TRIES;) {
    const page = await readPage(store, position, Object.keys(projection.on));
    if (!(await leases.renew(lease, LEASE_SECONDS))) {
      throw new Error(
        `The rebuild of ${projection.name} took too long over a page and lost its lease; start it again.`,
      );
    }
    events += page.events.length;
    position = page.position;
    if (page.events.length <= LAST_PAGE && comparePositions(position, reader) >= 0) {
      reader = await next.switchAt(page);
      if (comparePositions(position, reader) >= 0) return { events, parked: next.parked };
      tries += 1;
    }
    await next.take(page.events);
  }
  throw new Error(`The reader of the feed was always faster than the rebuild of ${projection.name}; start it again.`);
};

/** The new tables of a projection beside the serving ones. */
const openNextEpoch = async (pool: Pool, projection: Projection, liveEpoch: number) => {
  const epoch = liveEpoch + 1;
  await inTransaction(pool, async (client) => {
    await createTables(client, projection, epoch);
    await forgetParked(client, projection, liveEpoch);
  });
  const parked: NewlyParked[] = [];

  const apply = async (client: PoolClient, page: ReadablePage['events'], attempts: number | null) => {
    await useSchema(client, projection, epoch);
    const held = new Set(parked.map(({ streamId }) => streamId));
    return applyEvents(projectionBatch(client, projection, epoch, held), page, attempts);
  };
  const keepParked = (applied: Awaited<ReturnType<typeof apply>>): void => {
    if (isLeft(applied)) throw new Error(applied.left.error.message);
    parked.push(...applied.right);
  };

  return {
    parked: parked as readonly NewlyParked[],
    take: async (page: ReadablePage['events']): Promise<void> => {
      const applied = await inTransaction(pool, (client) => apply(client, page, null), isRight);
      keepParked(isLeft(applied) ? await inTransaction(pool, (client) => apply(client, page, 2), isRight) : applied);
    },
    /** Applies the last page and switches; does nothing when the reader, whose position is returned, is ahead. */
    switchAt: (page: ReadablePage): Promise<Position> =>
      inTransaction(pool, async (client) => {
        const current = await loadCheckpoint(client, projection, 'FOR UPDATE');
        if (current?.epoch !== liveEpoch) {
          throw new Error(`Another rebuild of ${projection.name} finished first; start again if it is still needed.`);
        }
        if (comparePositions(current.position, page.position) > 0) return current.position;
        keepParked(await apply(client, page.events, 2));
        await exposeTables(client, projection, epoch);
        await client.query('UPDATE es.subscriptions SET epoch = $3, position = $4 WHERE name = $1 AND version = $2', [
          ...[projection.name, projection.version, epoch, page.position],
        ]);
        await forgetParked(client, projection, epoch);
        await client.query(`DROP SCHEMA ${schemaOf(projection, liveEpoch)} CASCADE`);
        return page.position;
      }),
  };
};

const readPage = async (store: EventStore, after: Position, types: readonly string[]): Promise<ReadablePage> => {
  const page = await store.readAll(after, PAGE, { types });
  if (isLeft(page)) throw new Error(readFailed(page.left).message);
  const decoded = { events: page.right.events.map(readFeedEvent), position: page.right.position };
  const readable = pageFor((type) => types.includes(type), decoded, after);
  if (readable.stoppedBy !== null) throw new Error(`The rebuild stops: ${readable.stoppedBy}`);
  return readable;
};

/** Deletes the parked events of a projection in all epochs but one. */
const forgetParked = async (client: PoolClient, { name, version }: Projection, keptEpoch: number): Promise<void> => {
  await client.query('DELETE FROM es.parked WHERE reader = $1 AND version = $2 AND epoch <> $3', [
    name,
    version,
    keptEpoch,
  ]);
};
