import { type Pool } from 'pg';
import { type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { retryParked } from '../../projections/feed/retry-parked';
import { type Projection } from '../../projections/projection';
import { projectionConsumer } from '../../projections/projection-consumer';
import { rebuildProjections } from '../../projections/rebuild';
import { createTestPool } from '../support/create-test-pool';
import { expectRight } from '../support/given-when-then';
import { waitFor } from '../support/wait-for';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents } from './sample-events';

let isHealed = false;
const slots: Projection = {
  name: 'slots',
  version: 1,
  tables: 'CREATE TABLE slots (position bigint PRIMARY KEY);',
  exposes: ['slots'],
  on: {
    SlotReserved: ({ position }, tables) =>
      isHealed ? tables.insert('slots', { position }) : Promise.reject(new Error('not healed yet')),
  },
};
const others: Projection = {
  name: 'others',
  version: 1,
  tables: 'CREATE TABLE others (position bigint PRIMARY KEY);',
  exposes: ['others'],
  on: { SlotReserved: ({ position }, tables) => tables.insert('others', { position }) },
};
const slot = (instanceId: number) => ({ type: 'SlotReserved', data: { instanceId, ownerUsername: 'ada' } });

describe('while the log is read slowly', () => {
  let fixture: ProjectionFixture;
  let watch: Pool;
  /** The transactions that stay open during a read. */
  let open: unknown[];
  let reads: number;
  let release: () => void;
  beforeEach(async () => {
    isHealed = false;
    fixture = await createProjectionFixture();
    watch = createTestPool({ connectionString: fixture.connectionString, max: 1 });
    const events = [1, 2, 3].map(slot);
    await appendEvents(fixture.store, 'capacity-a', events);
    const running = fixture.run([slots, others]);
    await running.caughtUp();
    await running.stop();
    isHealed = true;
    [open, reads] = [[], 0];
  });
  afterEach(async () => {
    await watch.end();
    await fixture.close();
  });

  /** A log of which every read hangs until it is released, and which records the open transactions. */
  const slow = (): EventStore => {
    const released = new Promise<void>((resolve) => (release = resolve));
    const findOpen = async (): Promise<readonly unknown[]> => {
      const { rows } = await watch.query<Record<string, unknown>>(
        `SELECT state, query FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
         UNION ALL
         SELECT locktype, mode FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND locktype IN ('advisory', 'tuple')`,
      );
      return rows;
    };
    const look = async (): Promise<void> => {
      let found: readonly unknown[] = [];
      // The setup of a new connection is a transaction, too, for a moment.
      const isIdle = async (): Promise<boolean> => (found = await findOpen()).length === 0;
      await waitFor('no transaction is open', isIdle).catch(() => open.push(...found));
      reads += 1;
      await released;
    };
    return {
      ...fixture.store,
      readAll: (...args) => look().then(() => fixture.store.readAll(...args)),
      readStream: (...args) => look().then(() => fixture.store.readStream(...args)),
    };
  };

  const othersContinue = async (): Promise<void> => {
    const running = fixture.run([slots, others]);
    await appendEvents(fixture.store, 'capacity-b', [slot(4)]);
    await running.caughtUp();
    await running.stop();
    expect((await fixture.pool.query('SELECT 1 FROM read_others_v1.others')).rowCount).toBe(4);
    const lease = await fixture.leases.acquire('a job', 'another replica', 60);
    expect(await fixture.leases.renew(lease!, 60)).toBe(true);
  };

  it('a rebuild blocks nothing: it holds no transaction and no lock', async () => {
    const rebuilding = rebuildProjections({ ...fixture, store: slow() }, [slots]);
    await waitFor('the log is being read', () => reads > 0);
    await othersContinue();
    release();
    await rebuilding;
    expect(open).toEqual([]);
    expect((await fixture.pool.query('SELECT 1 FROM read_slots_v1.slots')).rowCount).toBe(4);
  });

  it('a retry of parked events blocks nothing either', async () => {
    const retrying = retryParked(projectionConsumer(fixture.pool, slots), slow(), 'capacity-a', null);
    await waitFor('the log is being read', () => reads > 0);
    await othersContinue();
    release();
    expect(expectRight(await retrying)).toEqual({ applied: 3, error: null });
    expect(open).toEqual([]);
    expect((await fixture.pool.query('SELECT 1 FROM read_slots_v1.slots')).rowCount).toBe(4);
  });

  it('a rebuild reads events that were appended meanwhile before it switches', async () => {
    let overtaken = 0;
    const store: EventStore = {
      ...fixture.store,
      readAll: async (...args) => {
        const page = await fixture.store.readAll(...args);
        if (overtaken++ < 2) {
          const running = fixture.run([slots]);
          await appendEvents(fixture.store, 'capacity-c', [slot(10 + overtaken)]);
          await running.caughtUp();
          await running.stop();
        }
        return page;
      },
    };
    await rebuildProjections({ ...fixture, store }, [slots]);
    expect(overtaken).toBeGreaterThan(2);
    expect((await fixture.pool.query('SELECT 1 FROM read_slots_v1.slots')).rowCount).toBe(5);
  });

  it('a parked event whose stream is broken stays parked, with the stream in its error, and can be skipped', async () => {
    const broken = { kind: 'broken_stream', streamId: 'capacity-a', reason: 'it was truncated' } as const;
    const store: EventStore = { ...fixture.store, readStream: () => Promise.resolve({ _tag: 'Left', left: broken }) };
    const consumer = projectionConsumer(fixture.pool, slots);
    const failed = { applied: 0, error: expect.stringContaining('capacity-a: it was truncated') as string };
    expect(expectRight(await retryParked(consumer, store, 'capacity-a', null))).toEqual(failed);
    for (const position of ['1', '2', '3'] as Position[]) {
      expectRight(await retryParked(consumer, store, 'capacity-a', position));
    }
    expect((await fixture.pool.query('SELECT 1 FROM es.parked')).rowCount).toBe(0);
  });
});
