import { isLeft, right } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position } from '../domain/kernel/event';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type FeedBatch, type FeedEvent, type ParkedEventStore } from '../domain/ports/feed-consumer';
import { applyEvents, type DecodedPage, type NewlyParked, pageFor, readFeedEvent } from './feed/apply-events';
import { type Projection } from './projection';
import { projectionBatch } from './projection-consumer';
import { inTransaction } from './projection-tables';

/** A read model that is filled from events beside the one that queries read. */
export interface ReplayTarget {
  readonly projection: Projection;
  readonly schema: string;
  /** Where events that cannot be applied are parked. */
  readonly parkedIn: (client: PoolClient) => ParkedEventStore;
}

/** Read models that are filled together, so that each event is read and decoded once. */
export interface Replay {
  /** The events that could not be applied, by projection; the later ones of their streams were parked, too. */
  readonly parked: ReadonlyMap<Projection, readonly NewlyParked[]>;
  /** Applies a page, which begins after a position, to some read models in a transaction. */
  take(to: readonly Projection[], page: DecodedPage, after: Position): Promise<void>;
  /** Applies a page to one read model in the caller's transaction, which is rolled back when the call rejects. */
  takeIn(client: PoolClient, to: Projection, page: DecodedPage, after: Position): Promise<void>;
  /** Adds to the tables of a read model, which are filled, what only queries need: indexes and statistics. */
  prepareForQueries(of: Projection): Promise<void>;
}

export const openReplay = (pool: Pool, targets: readonly ReplayTarget[]): Replay => {
  const parked = new Map(targets.map(({ projection }) => [projection, new Array<NewlyParked>()]));
  const searchPathOf = (of: readonly Projection[]): string => {
    const schemas = targets.filter(({ projection }) => of.includes(projection)).map(({ schema }) => schema);
    return `SET LOCAL search_path TO ${[...new Set(schemas)].join(', ')}`;
  };
  let busyAt = -Infinity;
  const isQuiet = async (): Promise<boolean> => {
    const { rows } = await pool.query(OTHERS_WORK);
    if (rows.length > 0) busyAt = performance.now();
    return performance.now() - busyAt > QUIET_MS;
  };
  const partsOf = (client: PoolClient, to: readonly Projection[], page: DecodedPage, after: Position) =>
    targets
      .filter(({ projection }) => to.includes(projection))
      .map(({ projection, parkedIn }): Part => {
        const { events, stoppedBy } = pageFor((type) => Object.hasOwn(projection.on, type), page, after);
        if (stoppedBy !== null) throw new Error(`The replay stops: ${stoppedBy}`);
        const batch = (held: readonly NewlyParked[]) =>
          projectionBatch(client, projection, new Set(held.map(({ streamId }) => streamId)), parkedIn(client));
        return { batch, events, held: parked.get(projection) ?? [] };
      });
  const takeIn = async (client: PoolClient, to: readonly Projection[], page: DecodedPage, after: Position) => {
    await client.query(searchPathOf(to));
    for (const { batch, events, held } of partsOf(client, to, page, after)) {
      held.push(...(await applyOrPark(client, batch, events, held)));
    }
  };
  return {
    parked,
    takeIn: (client, to, page, after) => takeIn(client, [to], page, after),
    take: async (to, page, after) => {
      const together = (client: PoolClient) => applyTogether(partsOf(client, to, page, after));
      if ((await isQuiet()) && (await inTransaction(pool, together, (isApplied) => isApplied, searchPathOf(to))))
        return;
      await inTransaction(pool, (client) => takeIn(client, to, page, after));
    },
    prepareForQueries: async (of) => {
      const workers = (await isQuiet()) ? '' : 'SET LOCAL max_parallel_maintenance_workers = 0;';
      await inTransaction(pool, async (client) => {
        await client.query(`${searchPathOf([of])}; ${workers} ${of.indexes ?? ''}`);
        await client.query(`ANALYZE ${of.exposes.join(', ')}`);
      });
    },
  };
};

/** Finds a running statement of another program, which needs a processor while a replay occupies another one. */
const OTHERS_WORK = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND state = 'active'
    AND application_name <> current_setting('application_name')
  LIMIT 1`;
/** The program and the database work at the same time from so long after the last one. */
const QUIET_MS = 5_000;

/** The events of a page for one read model. */
interface Part {
  readonly batch: (held: readonly NewlyParked[]) => FeedBatch;
  readonly events: readonly FeedEvent[];
  /** Parked before. */
  readonly held: NewlyParked[];
}

/**
 * Applies the events of all read models; the database writes the rows of one while those of the next are computed.
 * Returns false if an event fails.
 */
const applyTogether = async (parts: readonly Part[]): Promise<boolean> => {
  const flushing: ReturnType<FeedBatch['flush']>[] = [];
  for (const { batch, events, held } of parts) {
    const whole = batch(held);
    const flush: FeedBatch['flush'] = () => {
      flushing.push(whole.flush());
      return Promise.resolve(right(undefined));
    };
    const applied = await applyEvents({ ...whole, flush }, events, null);
    if (isLeft(applied)) return (await Promise.allSettled(flushing), false);
  }
  for (const flushed of await Promise.allSettled(flushing)) {
    // The first failure is the cause of later ones.
    if (flushed.status === 'rejected') throw flushed.reason;
    if (isLeft(flushed.value)) return false;
  }
  return true;
};

/** The number of events that are applied one by one if they fail together. */
const FEW = 50;

/** Applies events together, after a failure in halves, so that only the events around one that fails are slow. */
const applyOrPark = async (
  client: PoolClient,
  batch: (held: readonly NewlyParked[]) => FeedBatch,
  events: readonly FeedEvent[],
  held: readonly NewlyParked[],
): Promise<readonly NewlyParked[]> => {
  if (events.length === 0) return [];
  await client.query('SAVEPOINT page');
  const together = await applyEvents(batch(held), events, null);
  if (!isLeft(together)) {
    await client.query('RELEASE SAVEPOINT page');
    return together.right;
  }
  await client.query('ROLLBACK TO SAVEPOINT page');
  if (events.length <= FEW) {
    const oneByOne = await applyEvents(batch(held), events, 2);
    if (isLeft(oneByOne)) throw new Error(oneByOne.left.error.message);
    return oneByOne.right;
  }
  const middle = Math.ceil(events.length / 2);
  const first = await applyOrPark(client, batch, events.slice(0, middle), held);
  const rest = await applyOrPark(client, batch, events.slice(middle), [...held, ...first]);
  return [...first, ...rest];
};

/** The event types of some projections. */
export const typesOf = (projections: readonly Projection[]): readonly string[] => [
  ...new Set(projections.flatMap(({ on }) => Object.keys(on))),
];

/** Events of a page. More are faster, but each needs memory. */
const PAGE = 2000;

/**
 * Pages of the log after a position, each with the position that it begins after, up to the current end: the last page
 * is empty. The next page is read while one is used. Rejects when the log cannot be read.
 */
export async function* readLog(
  store: Pick<EventStore, 'readAll'>,
  after: Position,
  types: { readonly types?: readonly string[] } = {},
  limit = PAGE,
): AsyncGenerator<DecodedPage> {
  const read = async (from: Position): Promise<DecodedPage> => {
    const page = await store.readAll(from, limit, types);
    if (isLeft(page)) throw new Error(readFailed(page.left).message);
    return { events: page.right.events.map(readFeedEvent), position: page.right.position };
  };
  for (let [position, reading] = [after, read(after)]; ;) {
    const page = await reading;
    const isEnd = comparePositions(page.position, position) === 0;
    position = page.position;
    if (!isEnd) {
      reading = read(position);
      // It rejects when it is awaited.
      reading.catch(() => undefined);
    }
    yield page;
    if (isEnd) return;
  }
}

/** Parks nothing: an event that cannot be applied, and the later ones of its stream, are left out. */
export const leftOut: ParkedEventStore = {
  heldStreams: () => Promise.resolve(new Set()),
  park: () => Promise.resolve(),
  parkIfBlocked: () => Promise.resolve(true),
  parkedFor: () => Promise.resolve([]),
  recordFailure: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};
