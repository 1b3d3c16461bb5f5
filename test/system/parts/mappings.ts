import { type ApiClient } from '../../support/api-client';
import { createInstance, createMapping, deleteInstance, untilRunning } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { endlessMapping, knows, person, townMapping } from '../../support/sample-mappings';

/** A part of one-system.test.ts. */
export const mappings = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let bob: ApiClient;
  let olivia: ApiClient;
  beforeAll(() => {
    system = shared();
    ada = system.as('ada');
    bob = system.as('bob');
    olivia = system.as('olivia');
  });

  const robot = { ...person, label: 'Robot' };
  const withRobots = { node_definitions: [person, robot], change_description: 'Robots' };
  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await ada.send('GET', path);
    expect(status).toBe(200);
    return (body as { readonly data: unknown }).data;
  };

  describe('updating a mapping', () => {
    it('gives the definitions a new version and copies the omitted list', async () => {
      const id = await createMapping(ada, townMapping);
      const { data } = await ada.call('updateMapping', { id, body: { ...withRobots, owner_username: 'bob' } });
      expect(data).toMatchObject({ id, current_version: 2 });
      const { data: detail } = await bob.call('getMapping', { id });
      expect(detail).toMatchObject({
        owner_username: 'ada',
        current_version: 2,
        updated_at: data.updated_at,
        edge_definitions: [knows],
        version: { version: 2, change_description: 'Robots', created_by: 'ada', node_definitions: [person, robot] },
      });
      expect(await get(`/api/mappings/${id}/versions/1`)).toMatchObject({
        mapping_id: id,
        version: 1,
        change_description: null,
        node_definitions: [person],
      });
    });

    it('a new name or description keeps the version', async () => {
      const id = await createMapping(ada, townMapping);
      const { data } = await ada.call('updateMapping', { id, body: { name: 'City', description: 'Bigger' } });
      expect(data.current_version).toBe(1);
      expect((await ada.call('getMapping', { id })).data).toMatchObject({ name: 'City', description: 'Bigger' });
    });

    it.each([
      ['a description of the change', { node_definitions: [robot] }, 'change_description'],
      ['one that is not empty', { ...withRobots, change_description: '' }, 'change_description'],
      ['one that is not too long', { ...withRobots, change_description: 'x'.repeat(1001) }, 'change_description'],
      ['something to change', {}, 'body'],
      ['a name that says something', { name: ' ' }, 'name'],
      [
        'nodes for its edges',
        { ...withRobots, node_definitions: [robot], edge_definitions: [{ ...knows, to_node: 'Robot' }] },
        'edge_definitions.0.from_node',
      ],
    ])('requires %s', async (_, body, field) => {
      const id = await createMapping(ada, townMapping);
      expect(await ada.refused('PUT', `/api/mappings/${id}`, { body })).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field, errors: [{ field }] },
      });
    });

    it('is allowed for the owner, admins and ops', async () => {
      const id = await createMapping(ada, townMapping);
      for (const [method, path, body] of [
        ['PUT', '', { name: 'Mine' }],
        ['PUT', '/lifecycle', { ttl: 'P1D' }],
        ['DELETE', '', undefined],
      ] as const) {
        expect(await bob.refused(method, `/api/mappings/${id}${path}`, { body })).toMatchObject({
          status: 403,
          code: 'PERMISSION_DENIED',
          details: { owner_username: 'ada', your_role: 'analyst' },
        });
      }
      expect(await bob.refused('PUT', `/api/mappings/${id}`, { body: {} })).toMatchObject({ status: 400 });
      await olivia.call('updateMapping', { id, body: { name: 'Ours' } });
    });

    it('creates twenty versions for twenty concurrent updates', async () => {
      const id = await createMapping(ada, townMapping);
      const all = await Promise.all(
        Array.from({ length: 20 }, () => ada.call('updateMapping', { id, body: withRobots })),
      );
      const versions = all.map(({ data }) => data.current_version).sort((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
      expect((await ada.call('listMappingVersions', { id })).meta.total).toBe(21);
    });
  });

  describe('the lifetime of a mapping', () => {
    it('is set, kept and cleared', async () => {
      const id = await createMapping(ada, townMapping);
      const set = async (body: object) => (await ada.call('setMappingLifecycle', { id, body })).data;
      expect(await set({ ttl: 'P60D', inactivity_timeout: 'P20D' })).toMatchObject({
        ttl: 'P60D',
        inactivity_timeout: 'P20D',
      });
      expect(await set({ ttl: 'P7D' })).toMatchObject({ ttl: 'P7D', inactivity_timeout: 'P7D' });
      const { updated_at, ...cleared } = await set({ ttl: null, inactivity_timeout: null });
      expect(cleared).toEqual({ id, ttl: null, inactivity_timeout: 'P30D' });
      expect((await ada.call('getMapping', { id })).data).toMatchObject({ ...cleared, updated_at });
    });

    it('has a maximum', async () => {
      const id = await createMapping(ada, townMapping);
      expect(await ada.refused('PUT', `/api/mappings/${id}/lifecycle`, { body: { ttl: 'P366D' } })).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field: 'ttl', requested: 'P366D', max_allowed: 'P365D' },
      });
    });
  });

  describe('copying a mapping', () => {
    it('creates version 1 from the current one, owned by the caller', async () => {
      const id = await createMapping(ada, { ...townMapping, description: 'All of it' });
      await ada.call('updateMapping', { id, body: withRobots });
      const { data } = await bob.call('copyMapping', { id, body: { name: 'My town' } });
      expect(data).toMatchObject({ owner_username: 'bob', name: 'My town', current_version: 1 });
      const { data: copy } = await bob.call('getMapping', { id: data.id });
      expect(copy).toMatchObject({ description: 'All of it', created_at: data.created_at });
      expect(copy.version).toMatchObject({ version: 1, change_description: null, node_definitions: [person, robot] });
      await bob.call('deleteMapping', { id: data.id });
      expect((await ada.call('getMapping', { id })).data.current_version).toBe(2);
    });

    it('requires a name and a mapping', async () => {
      const id = await createMapping(ada, townMapping);
      expect(await bob.refused('POST', `/api/mappings/${id}/copy`, { body: {} })).toMatchObject({
        status: 400,
        details: { field: 'name' },
      });
      expect(await bob.refused('POST', '/api/mappings/999999/copy', { body: { name: 'x' } })).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
        details: { mapping_id: 999999 },
      });
    });
  });

  describe('the versions of a mapping', () => {
    let id: number;
    beforeAll(async () => {
      id = await createMapping(ada, townMapping);
      await ada.call('updateMapping', { id, body: withRobots });
      const body = {
        edge_definitions: [{ ...knows, sql: 'SELECT b AS a, a AS b, since FROM friends' }],
        change_description: 'Turned',
      };
      await olivia.call('updateMapping', { id, body });
    });

    it('are listed newest first, in pages', async () => {
      const { data, meta } = await bob.call('listMappingVersions', { id, query: { limit: 2 } });
      expect(meta).toMatchObject({ total: 3, offset: 0, limit: 2 });
      expect(data).toMatchObject([
        { version: 3, change_description: 'Turned', created_by: 'olivia', created_by_name: 'olivia' },
        { version: 2, change_description: 'Robots', created_by: 'ada' },
      ]);
      expect((await bob.call('listMappingVersions', { id, query: { offset: 2 } })).data).toMatchObject([
        { version: 1 },
      ]);
    });

    it('are compared in both directions', async () => {
      const none = {
        nodes_added: 0,
        nodes_removed: 0,
        nodes_modified: 0,
        edges_added: 0,
        edges_removed: 0,
        edges_modified: 0,
      };
      const diff = (from: number, to: number) => get(`/api/mappings/${id}/versions/${from}/diff/${to}`);
      expect(await diff(1, 3)).toEqual({
        mapping_id: id,
        from_version: 1,
        to_version: 3,
        summary: { ...none, nodes_added: 1, edges_modified: 1 },
        changes: {
          nodes: [{ label: 'Robot', change_type: 'added', from: null, to: robot }],
          edges: [
            {
              type: 'KNOWS',
              change_type: 'modified',
              fields_changed: ['sql'],
              from: knows,
              to: { ...knows, sql: 'SELECT b AS a, a AS b, since FROM friends' },
            },
          ],
        },
      });
      expect(await diff(2, 1)).toMatchObject({
        summary: { ...none, nodes_removed: 1 },
        changes: { nodes: [{ label: 'Robot', change_type: 'removed', from: robot, to: null }], edges: [] },
      });
      expect(await diff(2, 2)).toMatchObject({ summary: none, changes: { nodes: [], edges: [] } });
    });

    it.each(['4', '0', '01', 'x', '9007199254740991', '9007199254740993'])('do not include %s', async (version) => {
      const known = /^(4|9007199254740991)$/.test(version);
      for (const path of [version, `${version}/diff/1`, `1/diff/${version}`]) {
        expect(await ada.refused('GET', `/api/mappings/${id}/versions/${path}`)).toMatchObject({
          status: 404,
          code: 'MAPPING_VERSION_NOT_FOUND',
          details: { mapping_id: id, version: known ? Number(version) : version, latest_version: 3 },
        });
      }
    });
  });

  describe('a missing mapping', () => {
    it.each([
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/copy'],
      ['PUT', '/lifecycle'],
      ['GET', '/tree'],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
      ['GET', '/versions/1/diff/x'],
      ['GET', '/instances'],
      ['GET', '/snapshots'],
    ])('is not found by %s %s', async (method, path) => {
      for (const id of ['999999', '01']) {
        const options = method === 'GET' ? {} : { body: { name: 'x' } };
        expect(await bob.refused(method, `/api/mappings/${id}${path}`, options)).toMatchObject({
          status: 404,
          code: 'RESOURCE_NOT_FOUND',
        });
      }
    });
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

  describe('deleting a mapping', () => {
    it('deletes it with its versions', async () => {
      const id = await createMapping(ada, townMapping);
      expect((await ada.call('deleteMapping', { id })).data).toEqual({ deleted: true });
      for (const path of ['', '/versions', '/versions/1', '/tree']) {
        expect(await ada.refused('GET', `/api/mappings/${id}${path}`)).toMatchObject({ status: 404 });
      }
      expect(await ada.refused('DELETE', `/api/mappings/${id}`)).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      });
      const body = { mapping_id: id, name: 'late', wrapper_type: 'graphdb_a' };
      expect(await ada.refused('POST', '/api/instances', { body })).toMatchObject({ status: 404 });
    });

    it('is rejected as soon as an instance is requested', async () => {
      const id = await createMapping(ada, endlessMapping);
      const instance = await createInstance(ada, id);
      expect(await olivia.refused('DELETE', `/api/mappings/${id}`)).toMatchObject({
        code: 'RESOURCE_HAS_DEPENDENCIES',
        details: { snapshot_count: 1 },
      });
      await deleteInstance(ada, instance);
    });
  });

  describe('snapshots', () => {
    it.each([
      ['GET', ''],
      ['POST', ''],
      ['PUT', '/1'],
      ['DELETE', '/1'],
      ['PUT', '/1/lifecycle'],
      ['POST', '/1/retry'],
      ['GET', '/1/progress'],
    ])('have no %s %s: they are created by instances', async (method, path) => {
      const refusal = await ada.refused(method, `/api/snapshots${path}`, method === 'GET' ? {} : { body: {} });
      expect(refusal).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
      expect(refusal.message).toContain('POST /instances');
      expect(await system.as(null).refused(method, `/api/snapshots${path}`)).toMatchObject({ status: 401 });
    });

    it.each(['999999', '01', 'x'])('do not include %s', async (id) => {
      expect(await ada.refused('GET', `/api/snapshots/${id}`)).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      });
    });
  });
};
