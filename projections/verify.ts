import { isLeft } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type Sha256 } from '../domain/seals';
import { checkInvariants } from './check-invariants';
import { LogCheck } from './check-log';
import { SealCheck, type SealState } from './check-seals';
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
  readonly seals: SealState;
}

export interface VerifySealsPorts {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly sha256: Sha256;
  /** The hash of a seal that is stored elsewhere, which must be among the seals of the log; null: none. */
  readonly expectedSeal: string | null;
  readonly onPage?: (events: number, position: Position) => void;
  /** Called after each page and read model; the work waits for it. */
  readonly rest?: () => Promise<void>;
}

export interface VerifyPorts extends VerifySealsPorts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly now: () => Date;
  /** The share of the rows to compare, chosen by their keys; null: all. The log is read and checked whole. */
  readonly sample: number | null;
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
  const { pool } = ports;
  return withReplaySchema(pool, async (schema, replay, lost) => {
    const log = new LogCheck();
    const { position, sealed } = await readSealed(ports, async (page, after) => {
      lost.throwIfAborted();
      for (const event of page.events) log.see(event);
      await replay.take(readModels, page, after);
    });
    const differences = [...log.differences, ...sealed.differences];
    differences.push(...(await checkInvariants(pool, schema, log.slots, ports.now())));
    for (const projection of readModels) {
      lost.throwIfAborted();
      differences.push(...(await compareReadModel(ports, projection, schema, replay, position)));
      await ports.rest?.();
    }
    return { ok: differences.length === 0, position, differences, seals: sealed.seals };
  });
};

/** Checks the seals of the log, and nothing else. */
export const verifySeals = async (ports: VerifySealsPorts): Promise<Verification> => {
  const { position, sealed } = await readSealed(ports, () => Promise.resolve());
  return { ok: sealed.differences.length === 0, position, ...sealed };
};

/** Reads the whole log and checks its seals. `use` gets each page with the position before it. */
const readSealed = async (
  { store, sha256, expectedSeal, onPage, rest }: VerifySealsPorts,
  use: (page: DecodedPage, after: Position) => Promise<void>,
) => {
  const seals = new SealCheck(store, sha256, expectedSeal);
  let position = START;
  let events = 0;
  for await (const page of readLog(store, START)) {
    const seeAll = async (): Promise<void> => {
      for (const { stored } of page.events) await seals.see(stored);
    };
    // The database works on the page while its events are hashed.
    await Promise.all([use(page, position), seeAll()]);
    position = page.position;
    events += page.events.length;
    onPage?.(events, position);
    await rest?.();
  }
  return { position, sealed: seals.end() };
};

const compareReadModel = async (
  { pool, store, sample, pause }: VerifyPorts,
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
      return compareTables(client, projection, live.epoch, schema, sampled(sample, position));
    });
    if (compared !== null) return compared;
    await pause();
  }
};

const STEPS = 10_000;

/** The SQL condition for a share of the rows by their key, the same on both sides. Each position of the log has its own. */
const sampled = (share: number | null, position: Position) =>
  share === null
    ? () => 'true'
    : (key: string) => `abs(hashtextextended(${key}, ${position}) % ${STEPS}) < ${Math.ceil(share * STEPS)}`;

/** The events of a projection after one position, up to another. */
const eventsBetween = async (
  store: EventStore,
  projection: Projection,
  from: Position,
  to: Position,
): Promise<DecodedPage> => {
  const events = [];
  for await (const page of readLog(store, from, { types: typesOf([projection]) })) {
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
