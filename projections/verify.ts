import { isLeft } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { checkInvariants } from './check-invariants';
import { LogCheck } from './check-log';
import { compareTables, type Difference } from './compare-tables';
import { type DecodedPage } from './feed/apply-events';
import { type Projection } from './projection';
import { inTransaction, loadCheckpoint } from './projection-tables';
import { readLog, type Replay, typesOf } from './replay';
import { readModels, withReplaySchema } from './replay-schema';

export interface Verification {
  readonly ok: boolean;
  /** Position of the log up to which everything was compared. */
  readonly position: Position;
  readonly differences: readonly Difference[];
}

export interface VerifyPorts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly now: () => Date;
  readonly onPage?: (events: number, position: Position) => void;
  /** Waits while a read model has not reached the position of the replay. */
  readonly pause: () => Promise<void>;
}

/** Attempts to compare a read model that is behind the replay, with a pause before each. */
const ATTEMPTS = 20;

/**
 * Compares the live read models with a fresh replay of the log, and checks the log itself and the rules across streams.
 * It takes no locks of the readers: each read model is compared in one snapshot of the database, in which the replay
 * first applies the events that the reader has applied since.
 */
export const verify = async (ports: VerifyPorts): Promise<Verification> => {
  const { pool, store, onPage } = ports;
  return withReplaySchema(pool, async (schema, replay) => {
    const log = new LogCheck();
    let position = START;
    let events = 0;
    for await (const page of readLog(store, START)) {
      for (const event of page.events) log.see(event);
      await replay.take(readModels, page, position);
      position = page.position;
      events += page.events.length;
      onPage?.(events, position);
    }
    const differences = [...log.differences, ...(await checkInvariants(pool, schema, log.slots, ports.now()))];
    for (const projection of readModels) {
      differences.push(...(await compareReadModel(ports, projection, schema, replay, position)));
    }
    return { ok: differences.length === 0, position, differences };
  });
};

const compareReadModel = async (
  { pool, store, pause }: VerifyPorts,
  projection: Projection,
  schema: string,
  replay: Replay,
  position: Position,
): Promise<readonly Difference[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const behind = (actual: Position | null, expected: string): Difference => ({
      ...{ kind: 'checkpoint', read_model: projection.name, key: null, column: 'position', expected, actual },
    });
    const compared = await inSnapshot(pool, async (client) => {
      const live = await loadCheckpoint(client, projection);
      if (live === null) return [behind(null, position)];
      const head = await store.head();
      if (isLeft(head)) throw new Error(readFailed(head.left).message);
      if (comparePositions(live.position, head.right) > 0) return [behind(live.position, `at most ${head.right}`)];
      const between = (from: Position, to: Position) => eventsBetween(store, projection, from, to);
      if (comparePositions(live.position, position) < 0) {
        const missed = await between(live.position, position);
        if (missed.events.length > 0) return attempt < ATTEMPTS ? null : [behind(live.position, position)];
      } else {
        await replay.takeIn(client, projection, await between(position, live.position), position);
      }
      return compareTables(client, projection, live.epoch, schema);
    });
    if (compared !== null) return compared;
    await pause();
  }
};

/** The events of a projection after one position, up to another. */
const eventsBetween = async (
  store: EventStore,
  projection: Projection,
  from: Position,
  to: Position,
): Promise<DecodedPage> => {
  const events = [];
  for await (const page of readLog(store, from, typesOf([projection]))) {
    events.push(...page.events.filter(({ stored }) => comparePositions(stored.position, to) <= 0));
    if (comparePositions(page.position, to) >= 0) break;
  }
  return { events, position: to };
};

/** Runs work in one snapshot of the database, which is rolled back. */
const inSnapshot = <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> =>
  inTransaction(
    pool,
    async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      return work(client);
    },
    () => false,
  );
