import { EDGE_TYPE_WORDS, NAME_WORDS } from '../../../../domain/mapping';
import { type ApiClient } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createMapping } from '../../../support/instances';
import { knows, person, townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let ada: ApiClient;
let bob: ApiClient;
let olivia: ApiClient;
beforeAll(async () => {
  api = await startInhabitedApi();
  ada = api.as('ada');
  bob = api.as('bob');
  olivia = api.as('olivia');
});
afterAll(() => api.close());

const robot = { ...person, label: 'Robot' };
const withRobots = { node_definitions: [person, robot], change_description: 'Robots' };
const get = async (path: string): Promise<unknown> => {
  const { status, body } = await ada.send('GET', path);
  expect(status).toBe(200);
  return (body as { readonly data: unknown }).data;
};

describe('creating a mapping', () => {
  it('returns the detail as it was sent, with its first version', async () => {
    const id = await createMapping(ada, { ...townMapping, description: 'All of it', owner_username: 'bob' });
    const { data } = await bob.call('getMapping', { id });
    expect(data).toMatchObject({
      id,
      owner_username: 'ada',
      name: 'Town',
      description: 'All of it',
      current_version: 1,
      ttl: null,
      inactivity_timeout: 'P30D',
      node_definitions: [person],
      edge_definitions: [knows],
      version: { version: 1, change_description: null, created_by: 'ada', created_by_name: 'ada' },
    });
  });
});

test('a name that is not a text is an error with the form of names', async () => {
  const node = { ...person, label: 1, primary_key: { ...person.primary_key, name: null }, properties: [] };
  const edge = { ...knows, type: true, from_node: null, to_node: [], to_key: {} };
  const body = { name: 'Town', node_definitions: [node], edge_definitions: [edge] };
  expect(await ada.refused('POST', '/api/mappings', { body })).toMatchObject({
    details: {
      errors: [
        { field: 'node_definitions.0.label', message: `must be ${NAME_WORDS}, not 1` },
        { field: 'node_definitions.0.primary_key.name', message: `must be ${NAME_WORDS}, not null` },
        { field: 'edge_definitions.0.type', message: `must be ${EDGE_TYPE_WORDS}, not true` },
        { field: 'edge_definitions.0.to_key', message: `must be ${NAME_WORDS}, not an object` },
        { field: 'edge_definitions.0.from_node', message: 'must be a node label of this mapping, not null' },
        { field: 'edge_definitions.0.to_node', message: 'must be a node label of this mapping, not a list' },
      ],
    },
  });
});

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
    expect((await bob.call('listMappingVersions', { id, query: { offset: 2 } })).data).toMatchObject([{ version: 1 }]);
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
    expect(await api.as(null).refused(method, `/api/snapshots${path}`)).toMatchObject({ status: 401 });
  });

  it.each(['999999', '01', 'x'])('do not include %s', async (id) => {
    expect(await ada.refused('GET', `/api/snapshots/${id}`)).toMatchObject({
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('deleting in bulk', () => {
  let anna: ApiClient;
  beforeAll(async () => {
    await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
    anna = api.as('anna');
  });

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

  it('deletes what matches all filters, after a dry run that deletes nothing', async () => {
    const ids = [];
    for (const name of ['bulk one', 'bulk 50%', 'other']) ids.push(await createMapping(ada, { ...townMapping, name }));
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
});
