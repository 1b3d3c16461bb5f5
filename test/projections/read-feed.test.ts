import { systemClock } from '../../adapters/system/system-clock';
import { CAPACITY_STREAM } from '../../domain/capacity';
import { type EventStore } from '../../domain/ports/event-store';
import { mappingsProjection } from '../../projections/mappings';
import { type Projection } from '../../projections/projection';
import { projections } from '../../projections/registry';
import { createInMemoryEventStore } from '../support/in-memory/in-memory-event-store';
import { waitFor } from '../support/wait-for';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from './sample-events';

/** Records every slot it receives, so that a slot that is applied twice is detected. */
const tally: Projection = {
  name: 'tally',
  version: 1,
  tables: 'CREATE TABLE tally (position bigint NOT NULL);',
  exposes: ['tally'],
  on: { SlotReserved: ({ position }, tables) => tables.insert('tally', { position }) },
};
const slot = (instanceId: number) => ({ type: 'SlotReserved', data: { instanceId, ownerUsername: 'ada' } });

describe('the runner of the projections', () => {
  let fixture: ProjectionFixture;
  beforeEach(async () => {
    fixture = await createProjectionFixture();
  });
  afterEach(() => fixture.close());

  const tallied = async (): Promise<readonly number[]> => {
    const { rows } = await fixture.pool.query<{ position: string }>(
      'SELECT position FROM read_tally_v1.tally ORDER BY position',
    );
    return rows.map(({ position }) => Number(position));
  };

  it('brings the read models up to date, and resumes at its checkpoint', async () => {
    await appendEvents(fixture.store, 'mapping-1', [mappingCreated(1)]);
    for (let n = 1; n <= 10; n++) await appendInstance(fixture.store, n);
    let running = fixture.run();
    await running.caughtUp();
    await running.stop();
    for (let n = 11; n <= 20; n++) await appendInstance(fixture.store, n);
    running = fixture.run();
    await running.caughtUp();
    await running.stop();
    const inSteps = await fixture.rows();
    expect(inSteps).toMatchObject({ mappings: { length: 1 }, instances: { length: 14 }, export_jobs: { length: 20 } });
    expect(running.trouble).toEqual([]);

    const fresh = await createProjectionFixture();
    await appendEvents(fresh.store, 'mapping-1', [mappingCreated(1)]);
    for (let n = 1; n <= 20; n++) await appendInstance(fresh.store, n);
    const atOnce = fresh.run();
    await atOnce.caughtUp();
    await atOnce.stop();
    // The ids of events are those of their log.
    const { audit_trail: trail = [], ...models } = inSteps;
    const { audit_trail: freshTrail = [], ...freshModels } = await fresh.rows();
    expect(freshModels).toEqual(models);
    expect(freshTrail).toHaveLength(trail.length);
    await fresh.close();
  });

  it('reads its progress after a restart, even when nothing new is appended', async () => {
    await appendInstance(fixture.store, 1);
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(1)]);
    const first = fixture.run([tally]);
    await first.caughtUp();
    await first.stop();
    const quiet: EventStore = { ...fixture.store, subscribeAll: (_after, { signal }) => untilAborted(signal) };
    const second = fixture.run([tally], quiet);
    await second.caughtUp();
    await second.stop();
    expect(await tallied()).toHaveLength(1);
  });

  it('applies every event once, even with three running concurrently', async () => {
    const runners = [fixture.run([tally]), fixture.run([tally]), fixture.run([tally])];
    for (let n = 1; n <= 300; n++) await appendEvents(fixture.store, CAPACITY_STREAM, [slot(n)]);
    for (const runner of runners) await runner.caughtUp();
    await Promise.all(runners.map((runner) => runner.stop()));
    expect(await tallied()).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(runners.flatMap(({ trouble }) => trouble)).toEqual([]);
  });

  it('applies every event once when it is stopped and started again at any time', async () => {
    const appending = (async () => {
      for (let n = 1; n <= 200; n++) await appendEvents(fixture.store, CAPACITY_STREAM, [slot(n)]);
    })();
    for (let start = 1; start <= 10; start++) {
      const running = fixture.run([tally]);
      await waitFor('more events are applied', async () => (await tallied().catch(() => [])).length >= start * 15);
      await running.stop();
    }
    await appending;
    const last = fixture.run([tally]);
    await last.caughtUp();
    await last.stop();
    expect(await tallied()).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it('waits before an event of a type that only a newer version knows; other projections continue', async () => {
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(1), slot(2)]);
    await appendEvents(fixture.store, CAPACITY_STREAM, [{ type: 'SlotPainted', data: {} }]);
    await appendEvents(fixture.store, 'mapping-1', [mappingCreated(1)]);
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(5)]);
    const running = fixture.run([tally, mappingsProjection]);
    await waitFor(
      'the other consumer has passed the event',
      async () => (await fixture.checkpoint('mappings')) === '5',
    );
    await waitFor('the consumer waits', () => running.waiting.size > 0);
    expect(running.position()).toBe('2');
    expect(await tallied()).toEqual([1, 2]);
    expect([...running.waiting.keys()]).toEqual(['tally']);
    expect(running.waiting.get('tally')).toMatch(/at position 3 \(capacity-cluster@2\)/);

    // A newer program, which shares this version of the projection, passes the event.
    await fixture.pool.query("UPDATE es.subscriptions SET position = 3 WHERE name = 'tally'");
    await running.caughtUp();
    await running.stop();
    expect(await tallied()).toEqual([1, 2, 5]);
    expect([running.waiting.size, running.trouble, running.parked]).toEqual([0, [], []]);
  });

  it('skips events of stream categories that only a newer version knows', async () => {
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(1)]);
    await appendEvents(fixture.store, 'drawing-1', [{ type: 'DrawingSaved', data: {} }]);
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(3)]);
    const running = fixture.run([tally]);
    await running.caughtUp();
    await running.stop();
    expect(await tallied()).toEqual([1, 3]);
    expect([running.waiting.size, running.trouble]).toEqual([0, []]);
  });

  it('retries a page whose handler fails, and stores nothing before it succeeds', async () => {
    let failures = 2;
    const fragile: Projection = {
      ...tally,
      on: {
        SlotReserved: async (event, tables) => {
          await tables.insert('tally', { position: event.position });
          if (event.position === '2' && failures-- > 0) throw new Error('a temporary failure');
        },
      },
    };
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot(1), slot(2), slot(3)]);
    const running = fixture.run([fragile]);
    await running.caughtUp();
    await running.stop();
    expect(await tallied()).toEqual([1, 2, 3]);
    expect(running.trouble).toHaveLength(2);
    expect(running.parked).toEqual([]);
  });

  it('advances the checkpoints of all projections regularly, even without events for them', async () => {
    const store = createInMemoryEventStore(systemClock);
    const slots = Array.from({ length: 450 }, (_, index) => slot(index + 1));
    await appendEvents(store, CAPACITY_STREAM, slots);
    const small: EventStore = {
      ...store,
      subscribeAll: (after, rest) => store.subscribeAll(after, { ...rest, batchSize: 1 }),
    };
    const running = fixture.run(projections, small);
    await running.caughtUp();
    await running.stop();
    for (const { name, on } of projections) {
      const expected = 'SlotReserved' in on ? '450' : '400';
      expect([name, await fixture.checkpoint(name)]).toEqual([name, expected]);
    }
  });
});

/** A feed without events. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<never, void, undefined> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
