import { readConnectionTo } from '../../adapters/postgres/connection';
import { createPostgresTelemetryStore } from '../../adapters/postgres/postgres-telemetry-store';
import { type TelemetryStore } from '../../domain/ports/telemetry-store';
import { instancesProjection } from '../../projections/instances';
import { rebuildProjections } from '../../projections/rebuild';
import { findInstance, type InstanceQuery, listInstances } from '../../queries/instances';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { type PageBounds, type ResourceQuery } from '../../queries/kit/list';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendInstance } from '../projections/sample-events';
import { OLIVIA } from '../support/domain-samples';
import { bySize } from '../support/proof-size';

const GRAPHS = 'http://graphs';
const STATES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'];
const NAMES = ['Fraud', 'ÄRGER', 'ärger', '100%', 'a_b', String.raw`c\d`, 'Σίσυφος', 'tab\tand\nline', 'a "quote" }'];
const START = Date.UTC(2026, 0, 1);

interface Listed {
  readonly id: number;
  readonly snapshot_id: number | null;
  readonly owner_username: string;
  readonly status: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly last_activity_at: string | null;
  readonly memory_usage_bytes: number | null;
}

/** Few different values, so that many rows tie. */
const instance = (id: number): Listed => ({
  id,
  snapshot_id: id % 5 === 0 ? null : id % 400,
  // One owner has more instances than are sorted before the first of them are returned.
  owner_username: id % 12 === 0 ? `user-${(id * 7) % 5}` : 'user-9',
  status: STATES[(id * 3) % 5] ?? '',
  name: NAMES[(id * 5) % NAMES.length] ?? '',
  description: id % 4 === 0 ? 'About FRAUD' : 'a',
  created_at: new Date(START + (id % 50) * 7_919).toISOString(),
  last_activity_at: id % 3 === 0 ? new Date(START + (id % 11) * 1000).toISOString() : null,
  memory_usage_bytes: id % 3 === 0 ? (id % 13) * 1_000_000 : id % 7 === 0 ? 5 : null,
});
const everything = Array.from({ length: 2400 }, (_, index) => instance(index + 1));

const FILTERS: readonly InstanceQuery[] = [
  {},
  ...STATES.map((status) => ({ status })),
  { owner: 'user-2' },
  { owner: 'user-9' },
  { owner: 'nobody' },
  { owner: 'user-3', status: 'running' },
  { owner: 'user-9', search: 'a' },
  ...['fraud', 'ärger', '%', '_', '\\', 'σίσυφοσ', 'line', '', 'nowhere', 'd\u0001a', 'da'].map((search) => ({
    search,
  })),
  { snapshot_id: 7 },
  { snapshot_id: 7, owner: 'user-1', search: 'a' },
  { created_after: new Date(START + 60_000) },
  { created_before: new Date(START + 100_000) },
  { created_after: new Date(START + 7_919), created_before: new Date(START + 200_000) },
  { created_after: new Date(START + 130_000), created_before: new Date(START + 140_000) },
  { created_after: new Date(START + 200_000), created_before: new Date(START + 7_919) },
  { created_after: new Date(START + 60_000), status: 'failed', search: 'a', owner: 'user-1' },
];
const PAGES = (
  [
    [0, 300],
    [3, 20],
    [2350, 100],
    [0, 1],
    [60, 100],
    [5000, 5],
  ] as const
).slice(0, bySize({ sample: 3, full: 6 }));
const SORTS = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'] as const;

/** The expected list, computed in the simple way. */
const naively = (
  { owner, status, search, snapshot_id, created_after, created_before }: InstanceQuery,
  sort_by: (typeof SORTS)[number],
  sort_order: 'asc' | 'desc',
): readonly number[] => {
  const has = (text: string): boolean => text.toLowerCase().includes(search?.toLowerCase() ?? '');
  const found = everything.filter(
    (one) =>
      (owner === undefined || one.owner_username === owner) &&
      (status === undefined || one.status === status) &&
      (search === undefined || has(one.name) || has(one.description)) &&
      (snapshot_id === undefined || one.snapshot_id === snapshot_id) &&
      (created_after === undefined || one.created_at >= created_after.toISOString()) &&
      (created_before === undefined || one.created_at <= created_before.toISOString()),
  );
  const direction = sort_order === 'asc' ? 1 : -1;
  return found
    .sort((a, b) => {
      const [x, y] = [a[sort_by], b[sort_by]];
      if (x === y) return direction * (a.id - b.id);
      if (x === null || y === null) return x === null ? 1 : -1;
      return direction * (x < y ? -1 : 1);
    })
    .map(({ id }) => id);
};

type Options = Partial<ResourceQuery & PageBounds>;

describe('lists of instances', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;
  let telemetry: TelemetryStore;

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    telemetry = createPostgresTelemetryStore(fixture.pool);
    await db('instances').insert(
      everything.map(({ last_activity_at: _activity, memory_usage_bytes: _memory, ...row }) => ({
        ...row,
        ...{ snapshot_name: 's', mapping_id: 1, mapping_name: 'm', mapping_version: 1, wrapper_type: 'graphdb_a' },
        ...{ url_slug: `slug-${row.id}`, inactivity_timeout: 'P1D', cpu_cores: 2, updated_at: row.created_at },
        ...{ access_mode: 'everyone', access_users: [] },
      })),
    );
    const reports = everything.filter(({ memory_usage_bytes: memory }) => memory !== null);
    await db('telemetry.instance_metrics').insert(
      reports.map(({ id, last_activity_at, memory_usage_bytes }) => ({
        instance_id: id,
        data: { ...(last_activity_at === null ? {} : { last_activity_at }), memory_usage_bytes },
      })),
    );
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  const list = async (filters: InstanceQuery, options: Options = {}) => {
    const query = { sort_order: 'asc' as const, ...filters, ...options };
    return listInstances(db, OLIVIA, query, { offset: 0, limit: 3000, ...options }, GRAPHS);
  };
  describe.each(FILTERS.map((filters) => [JSON.stringify(filters), filters] as const))('with %s', (_name, filters) => {
    it.each(SORTS)('a list by %s has the filtered and sorted rows, in any pages', async (sort_by) => {
      for (const sort_order of ['asc', 'desc'] as const) {
        const expected = naively(filters, sort_by, sort_order);
        for (const [offset, limit] of PAGES) {
          const { items, total } = await list(filters, { sort_by, sort_order, offset, limit });
          expect(items.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit));
          expect(total).toBe(expected.length);
        }
      }
    });
  });

  it('have the same fields as the answer for a single instance', async () => {
    for (const item of (await list({})).items.slice(0, 40))
      expect(await findInstance(db, OLIVIA, item.id, GRAPHS)).toMatchObject(item);
  });

  it('find an instance by its new name, and not by the old one', async () => {
    const rename = (name: string) => db('instances').where({ id: 2400 }).update({ name });
    const found = async (search: string) => (await list({ search })).items.map(({ id }) => id);
    await rename('Before');
    expect([await found('before'), await found('after')]).toEqual([[2400], []]);
    await rename('After');
    expect([await found('before'), await found('after')]).toEqual([[], [2400]]);
  });

  it('follow the changes of instances', async () => {
    await db('instances').where({ id: 8 }).update({ status: 'stopping', name: 'Renamed' });
    await telemetry.saveMetrics(9, { memory_usage_bytes: 77 });
    await db('instances').where({ id: 10 }).delete();
    expect(await list({ search: 'renamed' })).toMatchObject({ total: 1, items: [{ id: 8, status: 'stopping' }] });
    expect((await list({})).total).toBe(2399);
    expect((await list({ created_after: new Date(START) })).total).toBe(2399);
    expect((await list({ status: 'stopping' })).total).toBe(naively({ status: 'stopping' }, 'name', 'asc').length + 1);
    expect((await list({}, { sort_by: 'memory_usage_bytes', sort_order: 'desc' })).items).not.toContainEqual(
      expect.objectContaining({ id: 10 }),
    );
    expect((await list({ snapshot_id: 9 })).items.find(({ id }) => id === 9)).toMatchObject({ memory_usage_bytes: 77 });
  });

  it('have the progress that the latest pod has reported', async () => {
    const progress = async () => (await findInstance(db, OLIVIA, 11, GRAPHS))?.reported_progress ?? null;
    await telemetry.saveProgress(11, { phase: 'ready', steps: [], life: 1 });
    await db('instances').where({ id: 11 }).update({ pod_life: 1 });
    expect(await progress()).toMatchObject({ phase: 'ready' });
    await db('instances').where({ id: 11 }).update({ pod_life: 2 });
    expect(await progress()).toBeNull();
    await telemetry.saveProgress(11, { phase: 'downloading', steps: [], life: 2 });
    expect(await progress()).toMatchObject({ phase: 'downloading' });
  });

  it('sort instances by their current states and reports', async () => {
    // One by one, because a page is sorted again.
    const found = async (sort_by: string, sort_order: 'asc' | 'desc') => {
      const pages = [0, 1, 2].map((offset) => list({ search: 'order' }, { sort_by, sort_order, offset, limit: 1 }));
      return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ id }) => id));
    };
    const asked = async () => [
      ...(await Promise.all([found('status', 'asc'), found('memory_usage_bytes', 'asc')])),
      ...(await Promise.all([found('memory_usage_bytes', 'desc'), found('last_activity_at', 'desc')])),
    ];
    for (const id of [2390, 2391, 2392])
      await db('instances')
        .where({ id })
        .update({ name: `order ${id}` });
    for (const id of [2390, 2391]) await telemetry.saveMetrics(id, { memory_usage_bytes: id });
    await db('instances').where({ id: 2392 }).update({ status: 'failed' });
    await db('instances').whereIn('id', [2390, 2391]).update({ status: 'running' });
    expect((await asked()).slice(0, 3)).toEqual([
      [2392, 2390, 2391],
      [2390, 2391, 2392],
      [2391, 2390, 2392],
    ]);

    await telemetry.saveMetrics(2392, { memory_usage_bytes: 1, last_activity_at: '2026-05-01T00:00:00.000Z' });
    expect((await asked()).slice(1)).toEqual([
      [2392, 2390, 2391],
      [2391, 2390, 2392],
      [2392, 2391, 2390],
    ]);
    await db('instances').where({ id: 2390 }).update({ status: 'failed' });
    expect(await found('status', 'asc')).toEqual([2390, 2392, 2391]);
  });

  it('keep the reports of pods when the read model is rebuilt', async () => {
    for (const n of [301, 302]) await appendInstance(fixture.store, n);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    const report = { memory_usage_bytes: 42, disk_usage_bytes: 43, last_activity_at: '2026-05-01T00:00:00.000Z' };
    await telemetry.saveMetrics(302, report);
    await rebuildProjections(fixture, [instancesProjection]);
    expect(await list({})).toMatchObject({ total: 2, items: [{ id: 301 }, { id: 302, ...report }] });
    await telemetry.saveMetrics(302, { memory_usage_bytes: 44 });
    expect((await list({})).items[1]).toMatchObject({ ...report, memory_usage_bytes: 44 });
  });
});
