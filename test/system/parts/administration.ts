import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient } from '../../support/api-client';
import { createInstance, createMapping, deleteInstance, untilSettled } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { person, townMapping } from '../../support/sample-mappings';
import { isEventStoreDbWanted } from '../../support/system-event-store';
import { waitFor } from '../../support/wait-for';
import { whileFrozen } from '../../support/while-frozen';

/** A part of one-system.test.ts. */
export const administration = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let olivia: ApiClient;
  let ada: ApiClient;
  let anna: ApiClient;
  let bob: ApiClient;
  beforeAll(() => {
    system = shared();
    anna = system.as('anna');
    bob = system.as('bob');
    olivia = system.as('olivia');
    ada = system.as('ada');
  });

  /** The first ping of the query engine starts its process, which takes too long on a slow machine. */
  const untilHealthy = async () => {
    const healthy = () =>
      olivia.call('getClusterHealth').then(
        ({ data }) => data,
        () => null,
      );
    let health = await healthy();
    await waitFor('the system is healthy', async () => (health ??= await healthy()) !== null);
    return health!;
  };

  describe('the cluster', () => {
    it('is forbidden for analysts', async () => {
      for (const path of ['/api/cluster/health', '/api/cluster/instances']) {
        expect(await ada.refused('GET', path)).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
          details: { required_role: 'ops', your_role: 'analyst' },
        });
      }
    });

    it('is healthy when every component answers', async () => {
      const data = await untilHealthy();
      const healthy = { status: 'healthy', latency_ms: expect.any(Number) as number };
      expect(data).toMatchObject({
        status: 'healthy',
        components: {
          database: healthy,
          ...(isEventStoreDbWanted() ? { event_store: healthy } : {}),
          kubernetes: healthy,
          queryengine: healthy,
          object_store: healthy,
        },
        failed_instances: 0,
      });
      expect('event_store' in data.components).toBe(isEventStoreDbWanted());
      expect(Math.abs(Date.now() - Date.parse(data.checked_at))).toBeLessThan(60_000);
    });

    it('counts failed instances, and stays healthy with them', async () => {
      const broken = {
        ...townMapping,
        node_definitions: [{ ...person, sql: 'SELECT nothing FROM people' }],
        edge_definitions: [],
      };
      const id = await createInstance(ada, await createMapping(ada, broken));
      expect((await untilSettled(ada, id)).status).toBe('failed');
      expect(await untilHealthy()).toMatchObject({ status: 'healthy', failed_instances: 1 });
      await deleteInstance(ada, id);
    });

    it('is degraded while the object store cannot be written', async () => {
      const [objects, aside] = [join(system.folder, 'objects'), join(system.folder, 'objects.aside')];
      await mkdir(objects, { recursive: true });
      await rename(objects, aside);
      await writeFile(objects, 'a file where the folder should be');
      const error = expect.stringContaining(objects) as string;
      const object_store = { status: 'unreachable', latency_ms: null, error };
      await waitFor('the health is degraded', async () => {
        const { status, body } = await olivia.send('GET', '/api/cluster/health');
        if (!JSON.stringify(body).includes(objects)) return false;
        expect({ status, body }).toMatchObject({
          status: 503,
          body: { data: { status: 'degraded', components: { object_store } } },
        });
        return true;
      });
      await rm(objects);
      await rename(aside, objects);
      await untilHealthy();
    });

    it('counts its instances by state and owner', async () => {
      const mapping = await createMapping(ada, townMapping);
      const before = (await olivia.call('getClusterInstances')).data;
      expect(before).toMatchObject({ total: 0, by_owner: [], limits: { cluster_used: 0, cluster_available: 50 } });
      const id = await createInstance(ada, mapping);
      await untilSettled(ada, id);
      expect((await olivia.call('getClusterInstances')).data).toEqual({
        total: 1,
        by_status: { waiting_for_snapshot: 0, starting: 0, running: 1, stopping: 0, failed: 0 },
        by_owner: [{ owner_username: 'ada', count: 1 }],
        limits: { per_analyst: 5, cluster_total: 50, cluster_used: 1, cluster_available: 49 },
      });
      await deleteInstance(ada, id);
    });

    it('is reported as degraded while its database does not answer', async () => {
      await untilHealthy();
      const database = system.processes().filter(({ command }) => command.includes('postgres'));
      await whileFrozen(
        database.map(({ pid }) => pid),
        async () => {
          const { status, body } = await olivia.send('GET', '/api/cluster/health');
          expect(status).toBe(503);
          expect(body).toMatchObject({
            data: {
              status: 'degraded',
              components: { database: { status: 'unreachable', latency_ms: null }, queryengine: { status: 'healthy' } },
            },
          });
          expect(await ada.send('GET', '/api/openapi.json')).toMatchObject({ status: 200 });
        },
      );
      await untilHealthy();
    });
  });

  describe('deleting in bulk', () => {
    const bulk = { resource_type: 'mapping', filters: { name_prefix: 'bulk' }, reason: 'spring cleaning' };
    const path = '/api/admin/resources/bulk';

    it.each([
      ['an unknown resource type', { resource_type: 'user' }, 422, { field: 'resource_type' }],
      ['a resource type in capitals', { resource_type: 'Mapping' }, 422, { field: 'resource_type' }],
      [
        'no filters',
        { filters: undefined },
        400,
        { available_filters: ['name_prefix', 'created_by', 'older_than_hours'] },
      ],
      ['empty filters', { filters: { name: 'x' } }, 400, { field: 'filters' }],
      ['an empty prefix', { filters: { name_prefix: '' } }, 400, { field: 'filters.name_prefix' }],
      ['a negative age', { filters: { older_than_hours: -1 } }, 400, { field: 'filters.older_than_hours' }],
      ['a status mappings do not have', { filters: { status: 'ready' } }, 400, { field: 'filters.status' }],
      ['no reason', { reason: undefined }, 400, { field: 'reason' }],
      ['too long a reason', { reason: 'x'.repeat(501) }, 400, { field: 'reason' }],
      ['a number as text', { expected_count: '0' }, 400, { field: 'expected_count' }],
      ['another count than expected', { expected_count: 7 }, 400, { expected_count: 7, actual_count: 0 }],
    ])('%s is rejected', async (_, change, status, details) => {
      expect(await anna.refused('DELETE', path, { body: { ...bulk, ...change } })).toMatchObject({
        status,
        code: 'VALIDATION_ERROR',
        details,
      });
    });

    it('is forbidden for analysts', async () => {
      for (const target of [path, '/api/admin/e2e-cleanup']) {
        expect(await ada.refused('DELETE', target, { body: bulk })).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
          details: { required_role: 'admin', your_role: 'analyst' },
        });
      }
    });

    it('deletes what matches all filters, after a dry run that deletes nothing', async () => {
      const ids = [];
      for (const name of ['bulk one', 'bulk 50%', 'other'])
        ids.push(await createMapping(ada, { ...townMapping, name }));
      await createMapping(bob, { ...townMapping, name: 'bulk of bob' });
      const [one, two, other] = ids;
      const body = { ...bulk, filters: { name_prefix: 'bulk', created_by: 'ada', older_than_hours: 0 } };
      const nothing = { deleted_count: 0, deleted_ids: [], failed_ids: [], errors: [] };
      const matched = { matched_count: 2, matched_ids: [one, two] };
      const dry = await anna.call('deleteInBulk', { body: { ...body, dry_run: true } });
      const matches = [
        { id: one, name: 'bulk one' },
        { id: two, name: 'bulk 50%' },
      ];
      expect(dry.data).toEqual({ dry_run: true, ...matched, matches, ...nothing });
      const { data } = await anna.call('deleteInBulk', { body: { ...body, expected_count: 2 } });
      expect(data).toEqual({ dry_run: false, ...matched, ...nothing, deleted_count: 2, deleted_ids: [one, two] });
      expect((await ada.call('getMapping', { id: other ?? 0 })).data.name).toBe('other');
      const percent = await anna.call('deleteInBulk', { body: { ...bulk, filters: { name_prefix: 'b%' } } });
      expect(percent.data.matched_count).toBe(0);
    });

    it('is answered for instances when their pods are deleted; snapshots in use are kept', async () => {
      const mapping = await createMapping(ada, { ...townMapping, name: 'kept' });
      const ids = [await createInstance(ada, mapping, 'batch'), await createInstance(ada, mapping, 'batch')];
      const live = await createInstance(ada, mapping, 'kept');
      for (const id of [...ids, live]) await untilSettled(ada, id);
      const instances = { ...bulk, resource_type: 'instance', filters: { name_prefix: 'batch', status: 'running' } };
      const { data } = await anna.call('deleteInBulk', { body: instances });
      expect(data).toMatchObject({ matched_ids: ids, deleted_ids: ids, failed_ids: [] });
      expect(system.processes('pod')).toHaveLength(1);
      const snapshots = { ...bulk, resource_type: 'snapshot', filters: { created_by: 'ada', status: 'ready' } };
      const { data: gone } = await anna.call('deleteInBulk', { body: snapshots });
      expect(gone.failed_ids).toHaveLength(1);
      expect(gone.errors[0]?.error).toContain(`instance ${live}`);
      expect(gone.deleted_count).toBe(gone.matched_count - 1);
      const { data: kept } = await anna.call('deleteInBulk', { body: { ...bulk, filters: { name_prefix: 'kept' } } });
      expect(kept).toMatchObject({ deleted_ids: [], failed_ids: [mapping], errors: [{ resource_id: mapping }] });
    });
  });

  describe('the cleanup after end-to-end tests', () => {
    it('deletes everything of the test users and nothing else, and finds nothing the second time', async () => {
      const mapping = await createMapping(bob, townMapping);
      await untilSettled(bob, await createInstance(bob, mapping));
      const before = (await ada.call('listMappings', { query: { owner: 'ada' } })).meta.total;
      const { data } = await anna.call('cleanUpAfterTests');
      expect(data).toMatchObject({
        instances_deleted: 1,
        snapshots_deleted: 1,
        pods_terminated: 0,
        errors: [],
        success: true,
      });
      expect(data.mappings_deleted).toBeGreaterThan(0);
      expect(data.gcs_files_deleted).toBeGreaterThan(0);
      expect(data.gcs_bytes_deleted).toBeGreaterThan(0);
      expect((await anna.call('cleanUpAfterTests')).data).toEqual({
        instances_deleted: 0,
        snapshots_deleted: 0,
        mappings_deleted: 0,
        pods_terminated: 0,
        gcs_files_deleted: 0,
        gcs_bytes_deleted: 0,
        errors: [],
        success: true,
      });
      expect((await ada.call('listMappings', { query: { owner: 'bob' } })).meta.total).toBe(0);
      expect((await ada.call('listMappings', { query: { owner: 'ada' } })).meta.total).toBe(before);
    });
  });
};
