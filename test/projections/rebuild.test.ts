import { Client } from 'pg';
import { CAPACITY_STREAM } from '../../domain/capacity';
import { type Projection } from '../../projections/projection';
import { rebuildProjections } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { waitFor } from '../support/wait-for';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from './sample-events';

const readModels = projections.filter(({ tables }) => tables !== '');

describe('rebuilding a projection', () => {
  let fixture: ProjectionFixture;
  beforeEach(async () => {
    fixture = await createProjectionFixture();
  });
  afterEach(() => fixture.close());

  it('restores the same rows', async () => {
    await appendEvents(fixture.store, 'mapping-1', [mappingCreated(1)]);
    for (let n = 1; n <= 20; n++) await appendInstance(fixture.store, n);
    const running = fixture.run();
    await running.caughtUp();
    const before = await fixture.rows();
    for (const projection of readModels) await rebuildProjections(fixture, [projection]);
    expect(await fixture.rows()).toEqual(before);
    await appendInstance(fixture.store, 21);
    await running.caughtUp();
    await running.stop();
    expect((await fixture.rows())['export_jobs']).toHaveLength(21);
    expect(running.trouble).toEqual([]);
  });

  it('restores the indexes', async () => {
    const indexes = async () => {
      const { rows } = await fixture.pool.query<{ sql: string }>(
        `SELECT replace(indexdef, schemaname, '') AS sql FROM pg_indexes WHERE starts_with(schemaname, 'rm_') ORDER BY 1`,
      );
      return rows;
    };
    await appendInstance(fixture.store, 1);
    const running = fixture.run();
    await running.caughtUp();
    const before = await indexes();
    expect(before.length).toBeGreaterThan(2 * readModels.length);
    await rebuildProjections(fixture, readModels);
    expect(await indexes()).toEqual(before);
    await running.stop();
  });

  it('loses no events that arrive meanwhile, and the old rows are served until the new ones are complete', async () => {
    const running = fixture.run();
    for (let n = 1; n <= 20; n++) await appendInstance(fixture.store, n);
    await running.caughtUp();
    const writing = (async () => {
      for (let n = 21; n <= 80; n++) await appendInstance(fixture.store, n);
    })();
    const counts: number[] = [];
    for (const projection of [...readModels, ...readModels]) {
      await rebuildProjections(fixture, [projection]);
      counts.push((await fixture.rows())['export_jobs']?.length ?? 0);
    }
    await writing;
    await running.caughtUp();
    await running.stop();
    const rebuiltUnderWay = await fixture.rows();
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(20);
    expect(rebuiltUnderWay).toMatchObject({ instances: { length: 54 }, export_jobs: { length: 80 } });
    for (const projection of readModels) await rebuildProjections(fixture, [projection]);
    expect(await fixture.rows()).toEqual(rebuiltUnderWay);
  });

  it('runs once at a time', async () => {
    let held = Promise.resolve();
    const slow: Projection = {
      name: 'slow',
      version: 1,
      tables: 'CREATE TABLE slow (position bigint PRIMARY KEY);',
      exposes: ['slow'],
      on: { SlotReserved: ({ position }, tables) => held.then(() => tables.insert('slow', { position })) },
    };
    const slot = { type: 'SlotReserved', data: { instanceId: 1, ownerUsername: 'ada' } };
    await appendEvents(fixture.store, CAPACITY_STREAM, [slot]);
    const running = fixture.run([slow]);
    await running.caughtUp();
    await running.stop();

    let release = (): void => undefined;
    held = new Promise<void>((resolve) => (release = resolve));
    const both = [1, 2].map(() => rebuildProjections(fixture, [slow]));
    await expect(Promise.race(both)).rejects.toThrow(/being rebuilt already/);
    release();
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { rows } = await fixture.pool.query('SELECT position FROM read_slow_v1.slow');
    expect(rows).toHaveLength(1);
    await rebuildProjections(fixture, [slow]);
  });

  it('reads the log once for all read models', async () => {
    for (let n = 1; n <= 5; n++) await appendInstance(fixture.store, n);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    const before = await fixture.rows();
    const read: string[] = [];
    const readAll: ProjectionFixture['store']['readAll'] = (after, ...options) => {
      read.push(after);
      return fixture.store.readAll(after, ...options);
    };
    const { events } = await rebuildProjections({ ...fixture, store: { ...fixture.store, readAll } }, readModels);
    expect(read.filter((after) => after === '0')).toHaveLength(1);
    expect(events).toBeGreaterThan(30);
    expect(await fixture.rows()).toEqual(before);
  });

  it('waits for the rows of each read model, and indexes with one process, while another program uses the database', async () => {
    for (let n = 1; n <= 5; n++) await appendInstance(fixture.store, n);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    const before = await fixture.rows();
    const query = jest.spyOn(Client.prototype, 'query');
    const statements = async (): Promise<{ readonly waits: number; readonly withoutWorkers: number }> => {
      query.mockClear();
      await rebuildProjections(fixture, readModels);
      const count = (text: string): number =>
        query.mock.calls.filter(([sql]) => JSON.stringify(sql).includes(text)).length;
      return {
        waits: count('RELEASE SAVEPOINT page'),
        withoutWorkers: count('max_parallel_maintenance_workers = 0'),
      };
    };
    expect(await statements()).toEqual({ waits: 0, withoutWorkers: 0 });
    const other = new Client({ connectionString: fixture.connectionString, application_name: 'another program' });
    await other.connect();
    const working = other.query('SELECT pg_sleep(60)').catch(() => undefined);
    await waitFor('the other program works', async () => {
      const sql = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'another program' AND state = 'active'";
      return (await fixture.pool.query(sql)).rows.length > 0;
    });
    const beside = await statements();
    expect(beside.waits).toBeGreaterThan(5);
    expect(beside.withoutWorkers).toBe(readModels.length);
    query.mockRestore();
    await fixture.pool.query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'another program'",
    );
    await working;
    await other.end();
    expect(await fixture.rows()).toEqual(before);
  });

  it('leaves nothing behind when it is cancelled', async () => {
    await appendInstance(fixture.store, 1);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    const schemas = async () => {
      const { rows } = await fixture.pool.query<{ name: string }>(
        `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'rm%' ORDER BY 1`,
      );
      return rows;
    };
    const before = await schemas();
    const cancelled = rebuildProjections(fixture, readModels, { signal: AbortSignal.abort(new Error('cancelled')) });
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(await schemas()).toEqual(before);
    await rebuildProjections(fixture, readModels);
  });

  it('renews its leases also while a statement runs, and ends when it loses one', async () => {
    await appendInstance(fixture.store, 1);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    let renewals = 0;
    const renew = () => Promise.resolve(++renewals < readModels.length);
    const timer = jest.spyOn(globalThis, 'setInterval');
    const store: ProjectionFixture['store'] = {
      ...fixture.store,
      // The time for a renewal comes while the log is read.
      readAll: async (...options) => {
        const [due] = timer.mock.calls.at(-1) ?? [];
        due?.();
        return fixture.store.readAll(...options);
      },
    };
    const lost = rebuildProjections({ ...fixture, store, leases: { ...fixture.leases, renew } }, readModels);
    await expect(lost).rejects.toThrow('lost its lease');
    timer.mockRestore();
    expect(renewals).toBeGreaterThanOrEqual(readModels.length);
    await rebuildProjections(fixture, readModels);
  });

  it('is rejected for process work', async () => {
    const work = projections.find(({ tables }) => tables === '');
    await expect(rebuildProjections(fixture, [work!])).rejects.toThrow(/cannot be rebuilt/);
  });
});
