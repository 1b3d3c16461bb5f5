import * as fc from 'fast-check';
import { type Position } from '../../domain/kernel/event';
import { retryParked } from '../../projections/feed/retry-parked';
import { type Projection } from '../../projections/projection';
import { projectionConsumer } from '../../projections/projection-consumer';
import { rebuildProjections } from '../../projections/rebuild';
import { expectRight } from '../support/given-when-then';
import { waitFor } from '../support/wait-for';
import { createProjectionFixture, type ProjectionFixture, type RunningProjections } from './projection-fixture';
import { appendEvents } from './sample-events';

/** The instance ids that the handler currently cannot apply. */
const poison = new Set<number>();

/** Records the slots of each stream in the order received; a failing handler has already written something. */
const ledger: Projection = {
  name: 'ledger',
  version: 1,
  tables: `
    CREATE TABLE ledger (position bigint PRIMARY KEY, stream text NOT NULL, instance bigint NOT NULL, line bigint NOT NULL);`,
  exposes: ['ledger'],
  on: {
    SlotReserved: async ({ position, streamId, data: { instanceId } }, tables) => {
      await tables.sql(`INSERT INTO ledger SELECT $1, $2, $3, count(*) FROM ledger WHERE stream = $2`, [
        position,
        streamId,
        instanceId,
      ]);
      if (!poison.has(instanceId)) return;
      // The buffered writes of a failed event must not be written with the next one.
      await tables.insert('ledger', { position: -instanceId, stream: streamId, instance: instanceId, line: -1 });
      if (instanceId % 2 === 0) throw new Error('division by zero');
      await tables.sql('SELECT 1 / 0');
    },
  },
};
const witness: Projection = {
  name: 'witness',
  version: 1,
  tables: 'CREATE TABLE witness (position bigint PRIMARY KEY);',
  exposes: ['witness'],
  on: { SlotReserved: ({ position }, tables) => tables.insert('witness', { position }) },
};
const slot = (instanceId: number) => ({ type: 'SlotReserved', data: { instanceId, ownerUsername: 'ada' } });

describe('an event that a projection cannot apply', () => {
  let fixture: ProjectionFixture;
  let running: RunningProjections[] = [];
  beforeEach(async () => {
    poison.clear();
    fixture = await createProjectionFixture();
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await fixture.close();
  });

  const start = (): RunningProjections => {
    const one = fixture.run([ledger, witness]);
    running.push(one);
    return one;
  };
  const happens = (streamId: string, ...ids: readonly number[]) => appendEvents(fixture.store, streamId, ids.map(slot));
  const lines = async (): Promise<readonly string[]> => {
    const { rows } = await fixture.pool.query<{ line: string }>(
      `SELECT stream || ' ' || instance AS line FROM read_ledger_v1.ledger ORDER BY stream, ledger.line`,
    );
    return rows.map(({ line }) => line);
  };
  const parked = async (): Promise<readonly string[]> => {
    const { rows } = await fixture.pool.query<{ row: string }>(
      `SELECT concat_ws(' ', reader, stream_id, position, attempts, CASE WHEN error IS NULL THEN 'waits' ELSE 'failed' END) AS row
       FROM es.parked ORDER BY position`,
    );
    return rows.map(({ row }) => row);
  };
  const retry = async (streamId: string, skip: string | null = null, { pool, store } = fixture) =>
    expectRight(await retryParked(projectionConsumer(pool, ledger), store, streamId, skip as Position | null));

  it('is parked after a few attempts with the later ones of its stream; other streams continue', async () => {
    poison.add(2);
    await happens('a', 1, 2, 3);
    await happens('b', 4);
    const one = start();
    await one.caughtUp();
    await happens('a', 5);
    await happens('b', 6);
    await one.caughtUp();
    expect(await lines()).toEqual(['a 1', 'b 4', 'b 6']);
    expect(await parked()).toEqual(['ledger a 2 4 failed', 'ledger a 3 0 waits', 'ledger a 5 0 waits']);
    expect((await fixture.pool.query('SELECT 1 FROM read_witness_v1.witness')).rowCount).toBe(6);
    expect(one.parked).toEqual([expect.stringMatching(/^ledger 2: .*division by zero/)]);
  });

  it('is parked when its data does not match its schema', async () => {
    await appendEvents(fixture.store, 'a', [{ type: 'SlotReserved', data: { instanceId: 'one' } }]);
    await happens('b', 2);
    const one = start();
    await one.caughtUp();
    expect(await lines()).toEqual(['b 2']);
    expect([...one.parked].sort()).toEqual([
      expect.stringContaining('ledger 1: SlotReserved v1 at position 1 (a@0) does not match its schema'),
      expect.stringContaining('witness 1: '),
    ]);
  });

  it('is applied in order once it can be, and its stream continues', async () => {
    poison.add(1).add(3);
    await happens('a', 1, 2, 3, 4);
    const one = start();
    await one.caughtUp();
    expect(await retry('a')).toMatchObject({
      applied: 0,
      error: expect.stringContaining('division by zero') as string,
    });
    expect(await parked()).toContain('ledger a 1 5 failed');
    poison.delete(1);
    expect(await retry('a')).toMatchObject({ applied: 2, error: expect.any(String) as string });
    expect(await parked()).toEqual(['ledger a 3 1 failed', 'ledger a 4 0 waits']);
    poison.clear();
    expect(await retry('a')).toEqual({ applied: 2, error: null });
    await happens('a', 5);
    await one.caughtUp();
    expect(await lines()).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5']);
    expect(await parked()).toEqual([]);
  });

  it('can be skipped permanently, once and only as the first of its stream', async () => {
    poison.add(1);
    await happens('a', 1, 2, 3);
    await start().caughtUp();
    expect(await retry('a', '2')).toMatchObject({ applied: 0 });
    expect(await parked()).toHaveLength(3);
    expect(await retry('a', '1')).toEqual({ applied: 2, error: null });
    expect(await retry('a', '1')).toEqual({ applied: 0, error: null });
    expect(await lines()).toEqual(['a 2', 'a 3']);
  });

  it('is parked once when two replicas run, even during a retry', async () => {
    poison.add(7);
    const both = [start(), start()];
    const retries: Promise<unknown>[] = [];
    for (let n = 1; n <= 120; n++) {
      await happens(n % 3 === 1 ? 'a' : 'b', n);
      if (n % 20 === 0) retries.push(retry('a'));
      if (n !== 90) continue;
      await waitFor('the failing event is parked', async () => (await parked()).length > 0);
      poison.clear();
    }
    await Promise.all([...retries, ...both.map((one) => one.caughtUp())]);
    await retry('a');
    expect(both.flatMap((one) => one.parked)).toHaveLength(1);
    expect(await parked()).toEqual([]);
    const inOrder = (first: number) => (_: unknown, index: number) => first + index;
    const expected = Array.from({ length: 120 }, inOrder(1));
    expect(await lines()).toEqual([
      ...expected.filter((n) => n % 3 === 1).map((n) => `a ${n}`),
      ...expected.filter((n) => n % 3 !== 1).map((n) => `b ${n}`),
    ]);
  });

  it('is not parked but retried when the database is lost meanwhile', async () => {
    let losses = 6;
    const dying: Projection = {
      ...ledger,
      on: {
        SlotReserved: async (event, tables) => {
          if (losses-- > 0) await tables.sql('SELECT pg_terminate_backend(pg_backend_pid())');
          await ledger.on.SlotReserved?.(event, tables);
        },
      },
    };
    await happens('a', 1, 2);
    const one = fixture.run([dying]);
    running.push(one);
    await one.caughtUp();
    expect(one.parked).toEqual([]);
    expect(await lines()).toEqual(['a 1', 'a 2']);
  });

  it('is retried by a rebuild, which parks again what still fails', async () => {
    poison.add(1).add(4);
    await happens('a', 1, 2);
    await happens('b', 3, 4, 5);
    const one = start();
    await one.caughtUp();
    poison.delete(1);
    const rebuilt = await rebuildProjections(fixture, [ledger]);
    expect(rebuilt.parked.get(ledger)?.map(({ event }) => event.position)).toEqual(['4']);
    await happens('b', 6);
    await one.caughtUp();
    expect(await lines()).toEqual(['a 1', 'a 2', 'b 3']);
    expect(await parked()).toEqual(['ledger b 4 2 failed', 'ledger b 5 0 waits', 'ledger b 6 0 waits']);
    poison.clear();
    expect(await retry('b')).toEqual({ applied: 3, error: null });
    expect(await parked()).toEqual([]);
  });

  it('leaves no trace at any place after the fixed handler has applied it', async () => {
    const stories = fc.array(fc.record({ stream: fc.constantFrom('a', 'b', 'c'), isPoison: fc.boolean() }), {
      minLength: 1,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(stories, fc.nat(25), async (story, pause) => {
        const world = await createProjectionFixture();
        const append = async (from: number, to: number) => {
          for (const [index, { stream }] of story.slice(from, to).entries()) {
            await appendEvents(world.store, stream, [slot(from + index)]);
          }
        };
        poison.clear();
        for (const [n, { isPoison }] of story.entries()) if (isPoison) poison.add(n);
        await append(0, pause);
        const one = world.run([ledger]);
        await one.caughtUp();
        await append(pause, story.length);
        await one.caughtUp();
        poison.clear();
        for (const stream of ['a', 'b', 'c']) await retry(stream, null, world);
        await one.stop();
        const rows = async () =>
          (await world.pool.query<object>('SELECT * FROM read_ledger_v1.ledger ORDER BY position')).rows;
        const afterRepair = await rows();
        await rebuildProjections(world, [ledger]);
        const withoutFailures = await rows();
        await world.close();
        expect(afterRepair).toHaveLength(story.length);
        expect(afterRepair).toEqual(withoutFailures);
      }),
      { numRuns: 12 },
    );
  });
});
