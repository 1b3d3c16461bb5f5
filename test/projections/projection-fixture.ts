import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { createPostgresEventStore } from '../../adapters/postgres/postgres-event-store';
import { createPostgresLeaseStore } from '../../adapters/postgres/postgres-lease-store';
import { comparePositions, type Position, START } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { readFeed } from '../../projections/feed/read-feed';
import { type Projection } from '../../projections/projection';
import { projectionConsumer } from '../../projections/projection-consumer';
import { readSchemaOf } from '../../projections/projection-tables';
import { projections } from '../../projections/registry';
import { createTestPool } from '../support/create-test-pool';
import { expectRight } from '../support/given-when-then';
import { createTestDatabase } from '../support/postgres';
import { waitFor } from '../support/wait-for';

export interface RunningProjections {
  /** The position that every projection has passed, as the runner reports it. */
  position(): Position;
  /** Resolves when every event there is now has been applied. */
  caughtUp(): Promise<void>;
  readonly trouble: readonly string[];
  /** The projections that wait for a newer version, with the reason. */
  readonly waiting: ReadonlyMap<string, string>;
  /** Parked events, each with its projection, position and reason. */
  readonly parked: readonly string[];
  stop(): Promise<void>;
}

/** A database of its own with the log in it. */
export const createProjectionFixture = async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 10 });
  const store = createPostgresEventStore({ pool, connectionString: database.connectionString });

  const run = (which: readonly Projection[] = projections, source: EventStore = store): RunningProjections => {
    const ending = new AbortController();
    const trouble: string[] = [];
    const parked: string[] = [];
    const waiting = new Map<string, string>();
    let position: Position = START;
    const running = readFeed({
      store: source,
      consumers: which.map((projection) => projectionConsumer(pool, projection)),
      idlePages: 200,
      signal: ending.signal,
      onProgress: (passed) => (position = passed),
      onWaiting: (reader, reason) => {
        if (reason === null) waiting.delete(reader);
        else waiting.set(reader, reason);
      },
      onParked: (reader, { event, error }) => parked.push(`${reader} ${event.position}: ${error}`),
      onError: (_what, error) => trouble.push(error instanceof Error ? String(error) : JSON.stringify(error)),
      pause: (_ms, signal) => sleep(5, undefined, { signal }).catch(() => undefined),
    });
    return {
      position: () => position,
      caughtUp: async () => {
        const head = expectRight(await source.head());
        await waitFor(`the projections have passed ${head}`, () => comparePositions(position, head) >= 0);
      },
      trouble,
      parked,
      waiting,
      stop: () => {
        ending.abort();
        return running;
      },
    };
  };

  return {
    connectionString: database.connectionString,
    pool,
    store,
    leases: createPostgresLeaseStore(pool),
    run,
    rows: () => allRows(pool),
    checkpoint: async (name: string): Promise<string | undefined> => {
      const { rows } = await pool.query<{ position: string }>(
        'SELECT position::text FROM es.subscriptions WHERE name = $1',
        [name],
      );
      return rows[0]?.position;
    },
    close: async () => {
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
};
export type ProjectionFixture = Awaited<ReturnType<typeof createProjectionFixture>>;

/** Every row of every read model, in one order. */
const allRows = async (pool: Pool): Promise<Readonly<Record<string, readonly string[]>>> => {
  const tables = projections.flatMap((projection) =>
    projection.exposes.map((table) => [table, `${readSchemaOf(projection)}.${table}`] as const),
  );
  const rows = await Promise.all(
    tables.map(async ([table, qualified]) => {
      const result = await pool.query<{ row: string }>(
        `SELECT to_jsonb(r)::text AS row FROM ${qualified} r ORDER BY 1`,
      );
      return [table, result.rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(rows);
};
