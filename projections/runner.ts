import { type Pool } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore, type FeedPage } from '../domain/ports/event-store';
import { applyEvents, handlerOf, type ReadablePage, readablePage } from './apply-events';
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

/** Pages a projection may be ahead of its checkpoint before it is written even though nothing changed. */
const IDLE_PAGES = 200;

/**
 * Drives all projections from one reader of the feed. Per page each projection that is concerned runs one transaction:
 * its rows, and its checkpoint by compare-and-set. When the checkpoint was moved by someone else (another replica, a
 * rebuild) the transaction is rolled back and the projection goes on from where the other one is.
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
        for (const one of running) await applyPage(options.pool, one, readable, pages % IDLE_PAGES === 0);
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

const applyPage = async (pool: Pool, one: Running, page: ReadablePage, persist: boolean): Promise<void> => {
  while (comparePositions(one.seen, page.position) < 0) {
    const events = page.events.filter(
      (event) =>
        comparePositions(event.position, one.seen) > 0 && handlerOf(one.projection.on, event.type) !== undefined,
    );
    if (events.length === 0 && !persist) {
      one.seen = page.position;
      return;
    }
    if (await applyBatch(pool, one, events, page.position)) {
      one.stored = one.seen = page.position;
      return;
    }
    const moved = await loadCheckpoint(pool, one.projection);
    if (moved === null) throw new Error(`The checkpoint of projection ${one.projection.name} has disappeared.`);
    one.stored = one.seen = moved.position;
    one.epoch = moved.epoch;
  }
};

/** False when the checkpoint is not where this runner left it; then nothing was changed. */
const applyBatch = async (
  pool: Pool,
  { projection, stored, epoch }: Running,
  events: ReadablePage['events'],
  to: Position,
): Promise<boolean> => {
  try {
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE es.subscriptions SET position = $4 WHERE name = $1 AND version = $2 AND position = $3 AND epoch = $5',
        [projection.name, projection.version, stored, to, epoch],
      );
      if (rowCount !== 1) throw new CheckpointMoved();
      await useSchema(client, projection, epoch);
      await applyEvents(client, projection, events);
    });
    return true;
  } catch (error) {
    if (error instanceof CheckpointMoved) return false;
    throw error;
  }
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
