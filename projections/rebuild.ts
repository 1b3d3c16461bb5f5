import { isLeft, isRight } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore } from '../domain/ports/event-store';
import { type ReadablePage, readablePage } from './feed/feed-page';
import { type NewlyParked, takeIn } from './feed/take-in';
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

export interface Rebuilt {
  /** How many were read. */
  readonly events: number;
  readonly parked: readonly NewlyParked[];
}

const PAGE = 5000;

/** Any number, the same in every version; the second half of the lock is the projection's name. */
const REBUILD_LOCK = 70_201_707;

/**
 * Fills a projection again from the first event while the present one goes on serving, then switches to it in one
 * transaction. Runners notice the new epoch by themselves. What was parked, or skipped, is tried again; what still
 * cannot be applied is parked anew. Throws when the same projection is being rebuilt already.
 */
export const rebuildProjection = async (pool: Pool, store: EventStore, projection: Projection): Promise<Rebuilt> => {
  if (projection.tables === '') {
    throw new Error(`${projection.name} holds work under way and cannot be rebuilt; choose a read model.`);
  }
  const client = await pool.connect();
  try {
    const lock = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken';
    const { rows } = await client.query<{ taken: boolean }>(lock, [REBUILD_LOCK, projection.name]);
    if (rows[0]?.taken !== true) {
      throw new Error(`${projection.name} is being rebuilt already; wait until that has ended.`);
    }
    return await rebuild(pool, store, projection);
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()').then(
      () => client.release(),
      () => client.release(true),
    );
  }
};

const rebuild = async (pool: Pool, store: EventStore, projection: Projection): Promise<Rebuilt> => {
  const live = await prepareProjection(pool, projection);
  const epoch = live.epoch + 1;
  await inTransaction(pool, async (client) => {
    await createTables(client, projection, epoch);
    await forgetParked(client, projection, live.epoch);
  });
  const types = Object.keys(projection.on);
  let events = 0;
  const parked: NewlyParked[] = [];

  const apply = (page: ReadablePage['events'], attempts: number | null) =>
    inTransaction(
      pool,
      async (client) => {
        await useSchema(client, projection, epoch);
        const held = new Set(parked.map(({ streamId }) => streamId));
        return takeIn(projectionBatch(client, projection, epoch, held), page, attempts);
      },
      isRight,
    );

  const fill = async (from: Position, until: Position): Promise<Position> => {
    let position = from;
    while (comparePositions(position, until) < 0) {
      const page = upTo(await readPage(store, position, types), until);
      const applied = await apply(page.events, null);
      const taken = isLeft(applied) ? await apply(page.events, 2) : applied;
      if (isLeft(taken)) throw new Error(taken.left.error.message);
      parked.push(...taken.right);
      events += page.events.length;
      position = page.position;
    }
    return position;
  };

  const filled = await fill(START, live.position);
  await inTransaction(pool, async (client) => {
    const current = await loadCheckpoint(client, projection, 'FOR UPDATE');
    if (current?.epoch !== live.epoch) {
      throw new Error(`Another rebuild of ${projection.name} finished first; start again if it is still needed.`);
    }
    // The runner waits for the checkpoint's lock: what it has done since is caught up here.
    await fill(filled, current.position);
    await exposeTables(client, projection, epoch);
    await client.query('UPDATE es.subscriptions SET epoch = $3 WHERE name = $1 AND version = $2', [
      projection.name,
      projection.version,
      epoch,
    ]);
    await forgetParked(client, projection, epoch);
    await client.query(`DROP SCHEMA ${schemaOf(projection, live.epoch)} CASCADE`);
  });
  return { events, parked };
};

const readPage = async (store: EventStore, after: Position, types: readonly string[]): Promise<ReadablePage> => {
  const page = await store.readAll(after, PAGE, { types });
  if (isLeft(page)) throw new Error(`The event store could not be read: ${page.left.kind}`);
  const readable = readablePage(page.right, after);
  if (readable.stoppedBy !== null) throw new Error(`The rebuild stops: ${readable.stoppedBy}`);
  return readable;
};

const upTo = (page: ReadablePage, until: Position): ReadablePage =>
  comparePositions(page.position, until) <= 0
    ? page
    : {
        ...page,
        position: until,
        events: page.events.filter(({ stored }) => comparePositions(stored.position, until) <= 0),
      };

/** Forgets everything parked for a projection but in the epoch that is kept. */
const forgetParked = async (client: PoolClient, { name, version }: Projection, keptEpoch: number): Promise<void> => {
  await client.query('DELETE FROM es.parked WHERE reader = $1 AND version = $2 AND epoch <> $3', [
    name,
    version,
    keptEpoch,
  ]);
};
