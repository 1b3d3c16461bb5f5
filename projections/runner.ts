import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore, type FeedPage } from '../domain/ports/event-store';
import { applyEvents, EventFailed, handlerOf, type ReadablePage, readablePage } from './apply-events';
import { applyOrPark, applyUnlessHeld, type ParkedEvent } from './parked-events';
import { type Projection } from './projection';
import { exposeTables, inTransaction, loadCheckpoint, prepareProjection, useSchema } from './projection-tables';

export interface ProjectionRunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  readonly signal: AbortSignal;
  /** The position every projection has passed. */
  readonly onProgress: (position: Position) => void;
  /** A page all projections have passed; for whoever wants to react to events at once, without a guarantee. */
  readonly onPage?: (page: FeedPage) => void;
  /** An event was parked; the later ones of its stream wait behind it. */
  readonly onParked: (parked: ParkedEvent) => void;
  /** A failure that will be tried again. */
  readonly onTrouble: (what: string, error: unknown) => void;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Running {
  readonly projection: Projection;
  /** What the checkpoint says. */
  stored: Position;
  /** What has been looked at: later than the checkpoint while nothing concerned the projection. */
  seen: Position;
  epoch: number;
}

/** An event that cannot be applied is tried so often, with ever longer pauses, before it is parked. */
export const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;

/** Pages a projection may be ahead of its checkpoint before it is written even though nothing changed. */
const IDLE_PAGES = 200;

/**
 * Drives all projections from one reader of the feed. Per page each projection that is concerned runs one transaction:
 * its rows, and its checkpoint by compare-and-set. When the checkpoint was moved by someone else (another replica, a
 * rebuild) the transaction is rolled back and the projection goes on from where the other one is. An event that cannot be
 * applied is parked in the same transaction, and with it the later ones of its stream (`parked-events.ts`).
 */
export const runProjections = async (options: ProjectionRunnerOptions): Promise<void> => {
  const { signal } = options;
  const ended = (): boolean => signal.aborted;
  while (!ended()) {
    try {
      const running = await Promise.all(options.projections.map((projection) => start(options.pool, projection)));
      let read = earliest(running);
      // What was done before this start counts, also when nothing new ever comes.
      options.onProgress(read);
      let pages = 0;
      for await (const page of options.store.subscribeAll(read, { signal })) {
        const readable = readablePage(page, read);
        pages += 1;
        for (const one of running) await applyPage(options, one, readable, pages % IDLE_PAGES === 0);
        options.onProgress(earliest(running));
        if (readable.stoppedBy !== null) throw new Error(`The projections stop: ${readable.stoppedBy}`);
        options.onPage?.(page);
        read = page.position;
      }
    } catch (error) {
      if (ended()) return;
      options.onTrouble('running the projections', error);
      await options.pause(500, signal);
    }
  }
};

const start = async (pool: Pool, projection: Projection): Promise<Running> => {
  const { position, epoch } = await prepareProjection(pool, projection);
  return { projection, stored: position, seen: position, epoch };
};

const earliest = (running: readonly Running[]): Position =>
  running.map(({ seen }) => seen).reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b), running[0]?.seen ?? START);

const applyPage = async (
  options: ProjectionRunnerOptions,
  one: Running,
  page: ReadablePage,
  persist: boolean,
): Promise<void> => {
  while (comparePositions(one.seen, page.position) < 0) {
    const events = page.events.filter(
      ({ stored }) =>
        comparePositions(stored.position, one.seen) > 0 && handlerOf(one.projection.on, stored.type) !== undefined,
    );
    if (events.length === 0 && !persist) {
      one.seen = page.position;
      return;
    }
    if (await applyBatch(options, one, events, page.position)) {
      one.stored = one.seen = page.position;
      return;
    }
    const moved = await loadCheckpoint(options.pool, one.projection);
    if (moved === null) throw new Error(`The checkpoint of projection ${one.projection.name} has disappeared.`);
    one.stored = one.seen = moved.position;
    one.epoch = moved.epoch;
  }
};

/** False when the checkpoint is not where this runner left it; then nothing was changed. */
const applyBatch = async (
  { pool, signal, onTrouble, onParked, pause }: ProjectionRunnerOptions,
  one: Running,
  events: ReadablePage['events'],
  to: Position,
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const parked = await inTransaction(pool, async (client) => {
        const holdsBack = await moveCheckpoint(client, one, to);
        await useSchema(client, one.projection, one.epoch);
        if (attempt === ATTEMPTS) return applyOrPark(client, one, events, ATTEMPTS);
        await (holdsBack ? applyUnlessHeld(client, one, events) : applyEvents(client, one.projection, events));
        return [];
      });
      for (const event of parked) onParked(event);
      return true;
    } catch (error) {
      if (error instanceof CheckpointMoved) return false;
      if (!(error instanceof EventFailed)) throw error;
      onTrouble(`applying events to ${one.projection.name}`, error);
      await pause(FIRST_PAUSE_MS * 3 ** (attempt - 1), signal);
      // Who is stopped has not waited: the next start tries again.
      if (signal.aborted) throw error;
    }
  }
};

/** Tells whether anything is parked. A retry may have ended that since: who needs to know looks again. */
const moveCheckpoint = async (
  client: PoolClient,
  { projection: { name, version }, stored, epoch }: Running,
  to: Position,
): Promise<boolean> => {
  const { rows } = await client.query<{ holds_back: boolean }>(
    `UPDATE es.subscriptions SET position = $4 WHERE name = $1 AND version = $2 AND position = $3 AND epoch = $5
     RETURNING EXISTS (SELECT 1 FROM es.parked WHERE reader = $1 AND version = $2 AND epoch = $5) AS holds_back`,
    [name, version, stored, to, epoch],
  );
  const [row] = rows;
  if (row === undefined) throw new CheckpointMoved();
  return row.holds_back;
};

class CheckpointMoved extends Error {}

/** Creates what the projections need in a new database; the first thing to do at a start. */
export const prepareProjections = async (pool: Pool, projections: readonly Projection[]): Promise<void> => {
  for (const projection of projections) await prepareProjection(pool, projection);
};

/** Lets queries read the current version of each projection; called once all of them have caught up. */
export const exposeProjections = async (pool: Pool, projections: readonly Projection[]): Promise<void> => {
  for (const projection of projections) {
    await inTransaction(pool, async (client) => {
      const checkpoint = await loadCheckpoint(client, projection, 'FOR UPDATE');
      if (checkpoint !== null) await exposeTables(client, projection, checkpoint.epoch);
    });
  }
};
