import { type ApiClient } from '../../support/api-client';
import { createInstance, createMapping, deleteInstance, untilRunning } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';

/** A part of one-system.test.ts. */
export const mappingResources = (shared: () => RunningSystem): void => {
  let ada: ApiClient;
  let bob: ApiClient;
  beforeAll(() => {
    ada = shared().as('ada');
    bob = shared().as('bob');
  });

  describe('the resources of a mapping', () => {
    let id: number;
    let instance: number;
    beforeAll(async () => {
      id = await createMapping(ada, townMapping);
      instance = await createInstance(ada, id);
      await untilRunning(ada, instance);
      await ada.call('updateMapping', { id, body: { edge_definitions: [], change_description: 'Loners' } });
    });
    afterAll(() => deleteInstance(ada, instance));

    it('are a tree of versions, snapshots and instances', async () => {
      const { data } = await bob.call('getMappingTree', { id });
      const [snapshot] = data.versions[1]?.snapshots ?? [];
      expect(data).toMatchObject({
        id,
        name: 'Town',
        owner_username: 'ada',
        current_version: 2,
        versions: [
          { version: 2, change_description: 'Loners', snapshot_count: 0, snapshots: [] },
          { version: 1, change_description: null, snapshot_count: 1 },
        ],
        totals: { version_count: 2, snapshot_count: 1, instance_count: 1 },
      });
      expect(snapshot).toMatchObject({
        name: 'Snapshot of Town v1',
        status: 'ready',
        instance_count: 1,
        instances: [{ id: instance, name: 'instance', status: 'running' }],
      });
    });

    it('can be filtered by status and returned without instances', async () => {
      const { data: bare } = await bob.call('getMappingTree', { id, query: { include_instances: 'false' } });
      expect(bare.versions[1]?.snapshots).toMatchObject([{ instance_count: 1, instances: [] }]);
      expect(bare.totals.instance_count).toBe(1);
      const { data: failed } = await bob.call('getMappingTree', { id, query: { status: 'failed' } });
      expect(failed.totals).toEqual({ version_count: 2, snapshot_count: 0, instance_count: 0 });
      for (const [query, field] of [
        ['include_instances=1', 'include_instances'],
        ['status=running', 'status'],
      ]) {
        expect(await bob.refused('GET', `/api/mappings/${id}/tree?${query}`)).toMatchObject({
          status: 400,
          details: { field },
        });
      }
    });

    it('are listed as instances and snapshots', async () => {
      const { data: instances, meta } = await bob.call('listMappingInstances', { id });
      expect(meta).toMatchObject({ total: 1, offset: 0, limit: 50 });
      const snapshotId = instances[0]?.snapshot_id;
      expect(instances).toMatchObject([
        {
          id: instance,
          snapshot_name: 'Snapshot of Town v1',
          owner_username: 'ada',
          wrapper_type: 'graphdb_a',
          status: 'running',
        },
      ]);
      const { data: snapshots } = await bob.call('listMappingSnapshots', { id });
      expect(snapshots).toMatchObject([
        {
          id: snapshotId,
          mapping_id: id,
          mapping_version: 1,
          status: 'ready',
          node_counts: { Person: 100 },
          instance_count: 1,
        },
      ]);
      const { data: items } = await bob.call('listMappings', { query: { search: 'Town' } });
      expect(items.find((item) => item.id === id)?.snapshot_count).toBe(1);
    });

    it('prevent the deletion of the mapping', async () => {
      expect(await ada.refused('DELETE', `/api/mappings/${id}`)).toMatchObject({
        status: 409,
        code: 'RESOURCE_HAS_DEPENDENCIES',
        details: { mapping_id: id, snapshot_count: 1 },
      });
    });

    it('include a snapshot that any user can read', async () => {
      const { snapshot_id } = (await ada.call('getInstance', { id: instance })).data;
      const { data } = await bob.call('getSnapshot', { id: snapshot_id ?? 0 });
      expect(data).toMatchObject({
        id: snapshot_id,
        mapping_id: id,
        mapping_name: 'Town',
        mapping_version: 1,
        owner_username: 'ada',
        name: 'Snapshot of Town v1',
        status: 'ready',
        progress: null,
        error_message: null,
        node_counts: { Person: 100 },
        edge_counts: { KNOWS: 100 },
        ttl: 'P7D',
        inactivity_timeout: 'P3D',
        instances: [{ id: instance, name: 'instance', status: 'running' }],
      });
      expect(data.size_bytes).toBeGreaterThan(0);
      expect(data.last_used_at).toMatch(/Z$/);
    });
  });
};
