import { readConnectionTo } from '../../adapters/postgres/connection';
import { createPostgresTelemetryStore } from '../../adapters/postgres/postgres-telemetry-store';
import { listInstanceEvents } from '../../queries/instance-events';
import { findInstance, type InstanceQuery, listInstances } from '../../queries/instances';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { type PageBounds, type ResourceQuery } from '../../queries/kit/list';
import { findMapping, listMappings } from '../../queries/mappings';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from '../projections/sample-events';
import { instanceRunning, OLIVIA } from '../support/domain-samples';

const NAMES = ['Ärger', 'ärmel', '100%', '100 percent', 'a_b', 'axb', String.raw`c\d`, 'Graph'];

type Options = Partial<ResourceQuery & PageBounds>;

describe('lists', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    for (const [index, name] of NAMES.entries()) {
      const at = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))).toISOString();
      const created = mappingCreated(index + 1, { name, description: index === 7 ? 'about Foxes 🦊' : '' });
      await appendEvents(fixture.store, `mapping-${index + 1}`, [created], at);
    }
    for (let n = 1; n <= 12; n++) await appendInstance(fixture.store, n);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    const telemetry = createPostgresTelemetryStore(fixture.pool);
    await telemetry.saveMetrics(1, {
      memory_usage_bytes: 10,
      cpu_usage_cores: 0.5,
      last_activity_at: '2026-01-02T00:00:00.000Z',
    });
    await telemetry.saveMetrics(2, { memory_usage_bytes: 20 });
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  const all: PageBounds = { offset: 0, limit: 100 };
  const mappingIds = async (filters: ResourceQuery, options: Options = {}) => {
    const { items, total } = await listMappings(db, { ...filters, ...options }, { ...all, ...options });
    return { ids: items.map(({ id }) => id), total };
  };
  const search = async (text: string) =>
    (await mappingIds({ search: text }, { sort_by: 'name', sort_order: 'asc' })).ids;

  it('are newest first, ties by the higher id', async () => {
    expect(await mappingIds({})).toEqual({ ids: [8, 7, 6, 5, 4, 3, 2, 1], total: 8 });
    expect((await mappingIds({}, { sort_order: 'asc' })).ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('page, sort and search the changes of an instance', async () => {
    const change = (id: number, new_cpu_cores: number) => ({
      ...{ id, event_type: 'cpu_updated' as const, details: { old_cpu_cores: 1, new_cpu_cores } },
      created_at: `2026-01-0${id}T12:00:00.000Z`,
    });
    const changes = [change(3, 4), change(2, 3), change(1, 2)];
    const first: PageBounds = { offset: 0, limit: 1 };
    expect(await listInstanceEvents(db, changes, {}, all)).toEqual({ items: changes, total: 3 });
    expect(await listInstanceEvents(db, changes, { sort_order: 'asc' }, first)).toEqual({
      items: [changes[2]],
      total: 3,
    });
    const after = { created_after: new Date('2026-01-02T12:00:00Z'), search: 'CPU' };
    expect(await listInstanceEvents(db, changes, after, all)).toEqual({ items: changes.slice(0, 2), total: 2 });
    expect(await listInstanceEvents(db, changes, { search: 'oom' }, all)).toEqual({ items: [], total: 0 });
  });

  it('are returned in pages with the total count', async () => {
    expect(await mappingIds({}, { offset: 2, limit: 3 })).toEqual({ ids: [6, 5, 4], total: 8 });
    expect(await mappingIds({}, { offset: 7, limit: 3 })).toEqual({ ids: [1], total: 8 });
    expect(await mappingIds({}, { offset: 8 })).toEqual({ ids: [], total: 8 });
  });

  it('find text in names and descriptions, ignoring case', async () => {
    expect(await search('GRAPH')).toEqual([8]);
    expect(await search('är')).toEqual([1, 2]);
    expect(await search('foxes 🦊')).toEqual([8]);
    expect(await search('')).toHaveLength(8);
    expect(await search('nowhere')).toEqual([]);
  });

  it('match %, _ and \\ literally', async () => {
    expect(await search('100%')).toEqual([3]);
    expect(await search('a_b')).toEqual([5]);
    expect(await search('%')).toEqual([3]);
    expect(await search('\\')).toEqual([7]);
    expect(await search(`' OR 1=1 --`)).toEqual([]);
  });

  it('can be limited by time, including both ends', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));
    expect((await mappingIds({ created_after: day(2), created_before: day(3) })).ids).toEqual([6, 5, 4, 3]);
  });

  it('can be limited to one owner', async () => {
    expect((await mappingIds({ owner: 'ada' })).total).toBe(8);
    expect((await mappingIds({ owner: 'ADA' })).total).toBe(0);
  });

  it('lists of mappings count the snapshots of all versions', async () => {
    const { items } = await listMappings(db, {}, all);
    expect(items.map((item) => item.snapshot_count)).toEqual([0, 0, 0, 0, 0, 0, 0, 12]);
    expect(await findMapping(db, 99)).toBeNull();
  });

  describe('lists of instances', () => {
    const list = async (filters: InstanceQuery, options: Options = {}) => {
      return listInstances(db, OLIVIA, { ...filters, ...options }, { ...all, ...options }, 'http://graphs');
    };
    const ids = async (filters: InstanceQuery, options: Options = {}): Promise<readonly number[]> =>
      (await list(filters, options)).items.map(({ id }) => id);

    it('omit deleted ones', async () => {
      expect(await ids({})).toEqual([11, 10, 8, 7, 5, 4, 2, 1]);
    });

    it('filter by status, owner and snapshot', async () => {
      expect(await ids({ status: 'running', owner: 'user-1' })).toEqual([5, 1]);
      expect(await ids({ status: 'failed' })).toEqual([]);
      expect(await ids({ snapshot_id: 4 })).toEqual([4]);
    });

    it('sort by values that pods report, with missing ones last', async () => {
      expect((await ids({}, { sort_by: 'memory_usage_bytes', sort_order: 'asc' })).slice(0, 2)).toEqual([1, 2]);
      expect((await ids({}, { sort_by: 'memory_usage_bytes', sort_order: 'desc' })).slice(0, 2)).toEqual([2, 1]);
      expect((await ids({}, { sort_by: 'last_activity_at', sort_order: 'desc' }))[0]).toBe(1);
    });

    it('sorted by values that pods report have no gaps or repetitions between pages', async () => {
      for (const sort_by of ['memory_usage_bytes', 'last_activity_at']) {
        for (const sort_order of ['asc', 'desc'] as const) {
          const whole = await ids({}, { sort_by, sort_order });
          for (const limit of [1, 2, 3, 5]) {
            const pages: number[] = [];
            for (let offset = 0; offset < 10; offset += limit) {
              pages.push(...(await ids({}, { sort_by, sort_order, offset, limit })));
            }
            expect(pages).toEqual(whole);
          }
        }
      }
    });

    it('return the new count at once after a change', async () => {
      const before = await list({ owner: 'user-1' });
      await appendInstance(fixture.store, 13);
      const running = fixture.run();
      await running.caughtUp();
      await running.stop();
      expect((await list({ owner: 'user-1' })).total).toBe(before.total + 1);
    });

    it('return the address below the current base URL, or the reported one where pods run externally', async () => {
      const urls = async (base: string | null) => {
        const { items } = await listInstances(db, OLIVIA, {}, all, base);
        return new Map(items.map(({ id, instance_url }) => [id, instance_url]));
      };
      await appendEvents(fixture.store, 'instance-1', [
        { type: 'InstanceRunning', data: { ...instanceRunning.data, instanceId: 1, instanceUrl: 'http://pod-1' } },
      ]);
      const running = fixture.run();
      await running.caughtUp();
      await running.stop();
      expect((await urls('http://here')).get(1)).toBe('http://here/slug-1');
      expect((await urls(null)).get(1)).toBe('http://pod-1');
      expect((await urls(null)).get(2)).toBeNull();
      expect((await findInstance(db, OLIVIA, 1, 'http://there'))?.instance_url).toBe('http://there/slug-1');
    });

    it('return sizes as numbers and times in UTC', async () => {
      const { items } = await list({ snapshot_id: 1 });
      expect(items[0]).toMatchObject({
        id: 1,
        snapshot_id: 1,
        snapshot_name: 'Snapshot of Friends v1',
        instance_url: 'http://graphs/slug-1',
        created_at: '2026-01-01T00:00:01.000Z',
        expires_at: '2026-01-02T00:00:01.000Z',
        last_activity_at: '2026-01-02T00:00:00.000Z',
        memory_usage_bytes: 10,
        cpu_usage_cores: 0.5,
        disk_usage_bytes: null,
      });
    });
  });
});
