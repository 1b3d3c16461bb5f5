import { type ApiClient, type SendOptions } from '../../../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';

let api: InProcessApi;
let ada: ApiClient;
let bob: ApiClient;
beforeAll(async () => {
  api = await startInhabitedApi();
  ada = api.as('ada');
  bob = api.as('bob');
});
afterAll(() => api.close());

describe('the caller', () => {
  const whoAmI = (headers: SendOptions['headers']) =>
    api.as(null).send('GET', '/api/mappings', headers === undefined ? {} : { headers });
  const unauthorized = (reason: string) => ({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED', details: { reason } } },
  });

  it.each([
    ['no name', {}],
    ['an empty name', { 'X-Username': '' }],
    ['the name twice', { 'X-Username': ['ada', 'ada'] }],
    ['a list of names', { 'X-Username': 'ada,olivia' }],
    ['the name with an underscore', { X_Username: 'ada' }],
    ['a second name with an underscore', { 'X-Username': 'ada', X_Username: 'olivia' }],
    ['a name for this connection only', { 'X-Username': 'ada', Connection: 'close, X-Username' }],
    ['a name that is too long', { 'X-Username': 'a'.repeat(256) }],
    ['a reserved name', { 'X-Username': 'system' }],
    ['a name that begins like those of the system', { 'X-Username': 'system:lifecycle' }],
  ])('%s is not an identity', async (_, headers) => {
    expect(await whoAmI(headers)).toMatchObject(unauthorized('identity_header'));
  });

  it('an unknown username is rejected', async () => {
    expect(await whoAmI({ 'X-Username': 'eve' })).toMatchObject(unauthorized('user_not_provisioned'));
    expect(await whoAmI({ 'X-Username': 'Ada' })).toMatchObject(unauthorized('user_not_provisioned'));
  });

  it('has the role of the record, not of the request', async () => {
    const headers = { 'X-User-Role': 'ops' };
    expect(await ada.refused('POST', '/api/users', { body: { username: 'eve' }, headers })).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      details: { required_role: 'admin', your_role: 'analyst' },
    });
  });
});

describe('requests in general', () => {
  it.each([
    ['a list', 'GET', '/api/mappings', {}, 200],
    ['unknown user', 'GET', '/api/mappings', { headers: { 'X-Username': 'eve' } }, 401],
    ['an unknown path', 'GET', '/api/nothing', {}, 404],
    ['an unknown path elsewhere', 'GET', '/nothing', {}, 404],
    ['a path that cannot be decoded', 'GET', '/api/mappings/%E0%A4%A', {}, 404],
    ['a disabled snapshot path', 'POST', '/api/snapshots', { body: {} }, 404],
    ['an instance that does not run', 'GET', '/graphs/none/', {}, 404],
    ['a wrong method', 'PATCH', '/api/mappings', {}, 405],
    ['broken JSON', 'POST', '/api/mappings', { body: '{' }, 400],
    ['too much', 'POST', '/api/instances', { body: { name: 'x'.repeat(1024 * 1024) } }, 413],
    ['the description', 'GET', '/api/openapi.json', {}, 200],
    ['a health check', 'GET', '/health', {}, 200],
  ] as const)('the answer to %s contains its position in the log', async (_, method, path, options, status) => {
    const answer = await ada.send(method, path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-event-position']).toMatch(/^[1-9]\d*$/);
  });

  it('unknown paths and methods are reported to known users', async () => {
    expect(await ada.refused('GET', '/api/nothing')).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
    expect(await ada.refused('PATCH', '/api/mappings')).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(await api.as(null).refused('GET', '/api/nothing')).toMatchObject({ status: 401 });
    expect(await api.as(null).refused('PATCH', '/api/mappings')).toMatchObject({ status: 401 });
    expect(await api.as(null).refused('GET', '/nothing')).toMatchObject({
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
    });
    expect(await api.as(null).refused('GET', '/api/mappings/%zz')).toMatchObject({ status: 401 });
    expect(await ada.refused('GET', '/api/mappings/%zz')).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
    for (const path of ['/health', '/ready', '/api/openapi.json', '/api/docs']) {
      const refused = await api.as(null).refused('POST', path);
      expect(refused).toMatchObject({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        details: { allowed_methods: ['GET'] },
      });
    }
  });
});

describe('reading after a write', () => {
  it('is never stale, a hundred times', async () => {
    let pending = 0;
    for (let round = 0; round < 100; round++) {
      const { data, headers } = await ada.call('createMapping', { body: { ...townMapping, name: `Town ${round}` } });
      if (headers['x-consistency'] === 'pending') pending += 1;
      expect((await ada.call('getMapping', { id: data.id })).data.name).toBe(`Town ${round}`);
    }
    // Only a very busy machine answers before its read models are up to date.
    expect(pending).toBeLessThan(50);
    expect((await ada.call('listMappings', { query: { search: 'Town 99' } })).meta.total).toBe(1);
  });

  it('uses the position that answers contain and a read can request', async () => {
    const { headers } = await ada.call('createMapping', { body: townMapping });
    const position = String(headers['x-event-position']);
    expect(position).toMatch(/^\d+$/);
    const at = (wanted: string) => ({ headers: { 'X-Min-Position': wanted } });
    expect((await ada.send('GET', '/api/mappings', at(position))).status).toBe(200);
    expect(await ada.refused('GET', '/api/mappings', at(String(Number(position) + 1_000_000)))).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await ada.refused('GET', '/api/mappings', at('soon'))).toMatchObject({ status: 400 });
    expect((await ada.send('GET', '/api/mappings/1')).headers['x-event-position']).toMatch(/^\d+$/);
    expect((await ada.send('GET', '/api/nothing')).headers['x-event-position']).toMatch(/^\d+$/);
  });
});

describe('repeating a request', () => {
  const key = { 'Idempotency-Key': 'order-1' };
  const first = { body: { ...townMapping, name: 'Once' }, headers: key };

  it('keys belong to one user', async () => {
    await ada.send('POST', '/api/mappings', first);
    const answer = await bob.send('POST', '/api/mappings', first);
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({ owner_username: 'bob' });
  });

  it('one of many concurrent requests with the same key is executed', async () => {
    const options = { body: { ...townMapping, name: 'Rush' }, headers: { 'Idempotency-Key': 'rush' } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.send('POST', '/api/mappings', options)));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await ada.call('listMappings', { query: { search: 'Rush' } })).meta.total).toBe(1);
  });
});

const dataOf = (answer: { readonly body: unknown } | undefined): unknown => (answer?.body as { data: unknown }).data;

it('the cluster counts its instances by state and owner', async () => {
  const olivia = api.as('olivia');
  const limits = { per_analyst: 5, cluster_total: 50 };
  expect((await olivia.call('getClusterInstances')).data).toMatchObject({
    total: 0,
    by_owner: [],
    limits: { ...limits, cluster_used: 0, cluster_available: 50 },
  });
  await createInstance(ada, await createMapping(ada, townMapping));
  expect((await olivia.call('getClusterInstances')).data).toEqual({
    total: 1,
    by_status: { waiting_for_snapshot: 1, starting: 0, running: 0, stopping: 0, failed: 0 },
    by_owner: [{ owner_username: 'ada', count: 1 }],
    limits: { ...limits, cluster_used: 1, cluster_available: 49 },
  });
});

it('a kind of instances has two names', async () => {
  const mapping = await createMapping(ada, townMapping);
  const kindOf = async (written: string): Promise<string> => {
    const body = { mapping_id: mapping, name: written, wrapper_type: written };
    return (await ada.call('createInstance', { body })).data.wrapper_type;
  };
  expect([await kindOf('duckdb'), await kindOf('falkordb')]).toEqual(['graphdb_a', 'graphdb_b']);
  expect(await ada.refused('POST', '/api/instances', { body: { wrapper_type: 'kuzu' } })).toMatchObject({
    status: 400,
  });
});

describe('lists', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'offset=-1',
    'sort_by=secret',
    'sort_order=up',
    'created_after=yesterday',
    `search=${'x'.repeat(256)}`,
  ])('reject %s', async (query) => {
    const [field] = query.split('=');
    for (const path of ['/api/mappings', '/api/instances']) {
      expect(await ada.refused('GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field },
      });
    }
  });
});
