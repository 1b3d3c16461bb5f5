import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore } from '../domain/ports/event-store';
import { type Lease, type LeaseStore } from '../domain/ports/lease-store';
import { type NewlyParked } from './feed/apply-events';
import { type Projection } from './projection';
import { parkedEventsOf } from './projection-consumer';
import {
  createTables,
  exposeTables,
  inTransaction,
  loadCheckpoint,
  prepareProjection,
  schemaOf,
} from './projection-tables';
import { openReplay, readLog, type ReplayTarget, typesOf } from './replay';

export interface RebuildPorts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly leases: LeaseStore;
}

export interface RebuildOptions {
  /** Called after each page with the number of events read so far, and the position. */
  readonly onPage?: (events: number, position: Position) => void;
  /** Cancels the rebuild, which then rejects and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

export interface RebuildResult {
  /** Number of events read. */
  readonly events: number;
  readonly parked: ReadonlyMap<Projection, readonly NewlyParked[]>;
}

/** Events of a page; a rebuild needs less memory for each than a verification. */
const PAGE = 4000;
/** Maximum number of events that are applied while the reader of the feed waits. */
const LAST_PAGE = 500;
/** Maximum number of attempts to catch up with the reader of the feed. */
const MAX_TRIES = 50;
const LEASE_SECONDS = 60;
/** Each renewal is a commit, which waits for the disk, and so do the commits of others. */
const RENEW_EVERY_MS = 10_000;

/**
 * Rebuilds projections from the first event, in one pass over the log, while the current tables continue to serve; then
 * switches each to its new tables in one transaction. Running readers detect the new epoch. Parked and skipped events
 * are retried, and parked again if they fail. Transactions are not held open while the log is read. Throws if a rebuild
 * of one of the projections is in progress.
 */
export const rebuildProjections = async (
  ports: RebuildPorts,
  projections: readonly Projection[],
  options: RebuildOptions = {},
): Promise<RebuildResult> => {
  const { leases } = ports;
  const held: Lease[] = [];
  const { lost, stop } = keepLeases(leases, held);
  try {
    for (const { name, tables } of projections) {
      if (tables === '') throw new Error(`${name} contains pending work and cannot be rebuilt; choose a read model.`);
      const lease = await leases.acquire(`rebuild ${name}`, `process ${process.pid}`, LEASE_SECONDS);
      if (lease === null) {
        throw new Error(`${name} is being rebuilt already; wait until that has ended, or a minute if it was killed.`);
      }
      held.push(lease);
    }
    const { signal = lost } = options;
    return await rebuild(ports, projections, { ...options, signal: AbortSignal.any([signal, lost]) });
  } finally {
    stop();
    for (const lease of held) await leases.release(lease).catch(() => undefined);
  }
};

/** A projection whose new tables are filled beside the serving ones of the epoch before. */
interface Rebuilt {
  readonly projection: Projection;
  readonly epoch: number;
  /** The last seen position of the reader of the feed. */
  reader: Position;
}

const rebuild = async (
  { pool, store }: RebuildPorts,
  projections: readonly Projection[],
  { onPage, signal }: RebuildOptions & { readonly signal: AbortSignal },
): Promise<RebuildResult> => {
  const waiting = new Set<Rebuilt>();
  try {
    for (const projection of projections) {
      const { epoch, position: reader } = await prepareProjection(pool, projection);
      const one = { projection, epoch: epoch + 1, reader };
      waiting.add(one);
      await inTransaction(pool, async (client) => {
        await createTables(client, projection, one.epoch);
        await forgetParked(client, projection, epoch);
      });
    }
    const replay = openReplay(pool, [...waiting].map(targetOf));
    const types = typesOf(projections);
    let events = 0;
    let position = START;
    let isIndexed = false;
    for (let tries = 0; tries < MAX_TRIES;) {
      for await (const page of readLog(store, position, { types }, PAGE)) {
        signal.throwIfAborted();
        events += page.events.length;
        const isLast = ({ reader }: Rebuilt): boolean => comparePositions(page.position, reader) >= 0;
        const isNearEnd = page.events.length <= LAST_PAGE && [...waiting].some(isLast);
        if (isNearEnd && !isIndexed) {
          for (const { projection } of waiting) {
            signal.throwIfAborted();
            await replay.prepareForQueries(projection);
          }
          isIndexed = true;
        } else if (isNearEnd) {
          for (const one of [...waiting].filter(isLast)) {
            const applyLast = (client: PoolClient) => replay.takeIn(client, one.projection, page, position);
            one.reader = await switchTables(pool, one, page.position, applyLast);
            if (isLast(one)) waiting.delete(one);
          }
          if (waiting.size === 0) return { events, parked: replay.parked };
          tries += 1;
        }
        await replay.take(
          [...waiting].map(({ projection }) => projection),
          page,
          position,
        );
        position = page.position;
        onPage?.(events, position);
      }
    }
    throw new Error('The reader of the feed was always faster than the rebuild; start it again.');
  } finally {
    for (const one of waiting) await dropTables(pool, one).catch(() => undefined);
  }
};

const targetOf = ({ projection, epoch }: Rebuilt): ReplayTarget => ({
  projection,
  schema: schemaOf(projection, epoch),
  parkedIn: (client) => parkedEventsOf(client, projection, epoch),
});

/** Renews the leases until `stop`, also during a long statement; `lost` aborts when another holder may have had one. */
const keepLeases = (leases: LeaseStore, held: readonly Lease[]) => {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const renewed = await Promise.all(held.map((lease) => leases.renew(lease, LEASE_SECONDS)));
    if (renewed.includes(false)) lost.abort(new Error('The rebuild lost its lease; start it again.'));
  };
  // After a failure the next renewal tries again.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
};

/** Applies the last page and switches; does nothing when the reader, whose position is returned, is ahead. */
const switchTables = (
  pool: Pool,
  { projection, epoch }: Rebuilt,
  position: Position,
  applyLast: (client: PoolClient) => Promise<void>,
): Promise<Position> =>
  inTransaction(pool, async (client) => {
    const current = await loadCheckpoint(client, projection, 'FOR UPDATE');
    if (current?.epoch !== epoch - 1) {
      throw new Error(`Another rebuild of ${projection.name} finished first; start again if it is still needed.`);
    }
    if (comparePositions(current.position, position) > 0) return current.position;
    await applyLast(client);
    await exposeTables(client, projection, epoch);
    await client.query('UPDATE es.subscriptions SET epoch = $3, position = $4 WHERE name = $1 AND version = $2', [
      ...[projection.name, projection.version, epoch, position],
    ]);
    await forgetParked(client, projection, epoch);
    await client.query(`DROP SCHEMA ${schemaOf(projection, epoch - 1)} CASCADE`);
    return position;
  });

const dropTables = (pool: Pool, { projection, epoch }: Rebuilt): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`DROP SCHEMA IF EXISTS ${schemaOf(projection, epoch)} CASCADE`);
    await forgetParked(client, projection, epoch - 1);
  });

/** Deletes the parked events of a projection in all epochs but one. */
const forgetParked = async (client: PoolClient, { name, version }: Projection, keptEpoch: number): Promise<void> => {
  await client.query('DELETE FROM es.parked WHERE reader = $1 AND version = $2 AND epoch <> $3', [
    name,
    version,
    keptEpoch,
  ]);
};
