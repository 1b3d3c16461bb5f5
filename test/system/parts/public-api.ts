import { type ApiClient, type SendOptions } from '../../support/api-client';
import { createMapping, deleteInstance, findInstance, untilSettled } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { endlessMapping, knows, person, townMapping } from '../../support/sample-mappings';

/** A part of one-system.test.ts. */
export const publicApi = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let bob: ApiClient;
  beforeAll(() => {
    system = shared();
    ada = system.as('ada');
    bob = system.as('bob');
  });

  const refusesMapping = (change: object) =>
    ada.refused('POST', '/api/mappings', { body: { ...townMapping, ...change } });
  const refusesInstance = (body: object) => ada.refused('POST', '/api/instances', { body });

  describe('the caller', () => {
    const whoAmI = (headers: SendOptions['headers']) =>
      system.as(null).send('GET', '/api/mappings', headers === undefined ? {} : { headers });
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

    it('cannot create the first user twice', async () => {
      expect(
        await system.as(null).refused('POST', '/api/users/bootstrap', { body: { username: 'eve' } }),
      ).toMatchObject({
        status: 409,
        code: 'ALREADY_EXISTS',
      });
    });
  });

  describe('requests in general', () => {
    it('a well-formed request id is returned, any other is replaced', async () => {
      const own = await ada.send('GET', '/api/mappings', { headers: { 'X-Request-ID': 'trace-7.a_b' } });
      expect(own).toMatchObject({
        headers: { 'x-request-id': 'trace-7.a_b' },
        body: { meta: { request_id: 'trace-7.a_b' } },
      });
      const { headers, body } = await ada.send('GET', '/api/nothing', { headers: { 'X-Request-ID': 'no spaces' } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(body).toMatchObject({ meta: { request_id: headers['x-request-id'] } });
    });

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
      expect(await system.as(null).refused('GET', '/api/nothing')).toMatchObject({ status: 401 });
      expect(await system.as(null).refused('PATCH', '/api/mappings')).toMatchObject({ status: 401 });
      expect(await system.as(null).refused('GET', '/nothing')).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
      });
      expect(await system.as(null).refused('GET', '/api/mappings/%zz')).toMatchObject({ status: 401 });
      expect(await ada.refused('GET', '/api/mappings/%zz')).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
      for (const path of ['/health', '/ready', '/api/openapi.json', '/api/docs']) {
        const refused = await system.as(null).refused('POST', path);
        expect(refused).toMatchObject({
          status: 405,
          code: 'METHOD_NOT_ALLOWED',
          details: { allowed_methods: ['GET'] },
        });
      }
    });

    it.each(['01', 'x', '-1', '0', '1.0', '9007199254740993'])(
      'the id %s is neither an instance nor a mapping',
      async (id) => {
        for (const path of [`/api/instances/${id}`, `/api/instances/${id}/progress`, `/api/mappings/${id}`]) {
          expect(await ada.refused('GET', path)).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
        }
        expect(await ada.refused('DELETE', `/api/instances/${id}`)).toMatchObject({ status: 404 });
      },
    );

    it.each([
      ['no JSON', { body: '{"name": ' }],
      ['another content type', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
      ['nothing', {}],
      ['a list', { body: [] }],
    ])('a body that is %s is rejected', async (_, options) => {
      expect(await ada.refused('POST', '/api/mappings', options)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
      });
    });

    it('a body that is too large is rejected', async () => {
      const name = 'x'.repeat(1024 * 1024 + 1);
      expect(await refusesInstance({ name })).toMatchObject({ status: 413, code: 'VALIDATION_FAILED' });
    });
  });

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

    it.each([
      ['a definition', { node_definitions: [] }, 'node_definitions'],
      ['a name', { name: '  ' }, 'name'],
      ['a plain label', { node_definitions: [{ ...person, label: 'My Person' }] }, 'node_definitions.0.label'],
      ['distinct labels', { node_definitions: [person, person] }, 'node_definitions.1.label'],
      ['known ends', { edge_definitions: [{ ...knows, to_node: 'Dog' }] }, 'edge_definitions.0.to_node'],
      ['read-only SQL', { node_definitions: [{ ...person, sql: 'DROP TABLE people' }] }, 'node_definitions.0.sql'],
      ['one query', { node_definitions: [{ ...person, sql: 'SELECT 1; SELECT 2' }] }, 'node_definitions.0.sql'],
      [
        'SQL without files',
        { edge_definitions: [{ ...knows, sql: `FROM read_csv('/etc/passwd')` }] },
        'edge_definitions.0.sql',
      ],
      ['a possible ttl', { ttl: 'P1Y' }, 'ttl'],
    ])('requires %s', async (_, change, field) => {
      const { status, code, details } = await refusesMapping(change);
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
      expect(details['errors']).toContainEqual({ field, message: expect.any(String) as string });
    });

    it('reports invalid SQL with line and column', async () => {
      const sql = 'SELECT id,\n  name FROM people; DELETE FROM people';
      const { message } = await refusesMapping({ node_definitions: [{ ...person, sql }] });
      expect(message).toMatch(/line 2, column \d+/);
    });

    it('rejects a lifetime above the maximum with that maximum', async () => {
      expect(await refusesMapping({ ttl: 'P366D' })).toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { field: 'ttl', requested: 'P366D', max_allowed: 'P365D' },
      });
    });
  });

  describe('creating an instance', () => {
    let mapping: number;
    beforeAll(async () => {
      mapping = await createMapping(ada, endlessMapping);
    });
    const sound = () => ({ mapping_id: mapping, name: 'instance', wrapper_type: 'graphdb_a' });

    it('reports every invalid field, as a map and as a list', async () => {
      const body = { mapping_id: '1', wrapper_type: 'neo4j', cpu_cores: 9 };
      const { status, code, details } = await refusesInstance(body);
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
      const fields = ['mapping_id', 'name', 'wrapper_type', 'cpu_cores'];
      expect(Object.keys(details).sort()).toEqual([...fields, 'errors'].sort());
      expect(details['errors']).toEqual(
        expect.arrayContaining(fields.map((field) => ({ field, message: details[field] }))),
      );
    });

    it.each([
      ['ttl', 'P8D', { max_allowed: 'P7D' }],
      ['ttl', '24h', {}],
      ['inactivity_timeout', 'PT25H', { max_allowed: 'PT24H' }],
    ])('rejects the %s %s', async (field, value, details) => {
      expect(await refusesInstance({ ...sound(), [field]: value })).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field, ...details, errors: [{ field }] },
      });
    });

    it('requires an existing mapping and version', async () => {
      expect(await refusesInstance({ ...sound(), mapping_id: 999 })).toMatchObject({
        status: 404,
        code: 'RESOURCE_NOT_FOUND',
        details: { mapping_id: 999 },
      });
      expect(await refusesInstance({ ...sound(), mapping_version: 2 })).toMatchObject({
        status: 404,
        code: 'MAPPING_VERSION_NOT_FOUND',
        details: { mapping_id: mapping, version: 2, latest_version: 1 },
      });
    });

    it('is allowed five times per analyst, and again as soon as one is deleted', async () => {
      const all = await Promise.all(
        Array.from({ length: 12 }, () => ada.send('POST', '/api/instances', { body: sound() })),
      );
      const accepted = all.filter(({ status }) => status === 201);
      expect(accepted).toHaveLength(5);
      expect(await refusesInstance(sound())).toMatchObject({
        status: 409,
        code: 'CONCURRENCY_LIMIT_EXCEEDED',
        details: { current_count: 5, max_allowed: 5, limit_type: 'per_analyst' },
      });
      const ids = accepted.map(({ body }) => (body as { data: { id: number } }).data.id);
      for (const id of ids) {
        await deleteInstance(ada, id);
        ids.push((await ada.call('createInstance', { body: sound() })).data.id);
        if (ids.length === 10) break;
      }
      await Promise.all(ids.slice(-5).map((id) => deleteInstance(ada, id)));
    });

    it('assigns it to the caller: another analyst may read but not delete it', async () => {
      const id = (await ada.call('createInstance', { body: sound() })).data.id;
      expect((await findInstance(bob, id)).owner_username).toBe('ada');
      expect(await bob.refused('DELETE', `/api/instances/${id}`)).toMatchObject({
        status: 403,
        code: 'PERMISSION_DENIED',
        details: { owner_username: 'ada', your_role: 'analyst' },
      });
      await deleteInstance(system.as('olivia'), id);
      expect(await ada.refused('GET', `/api/instances/${id}`)).toMatchObject({ status: 404 });
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

    it('the same key and body return the first answer again without a second execution', async () => {
      const answers = [await ada.send('POST', '/api/mappings', first), await ada.send('POST', '/api/mappings', first)];
      expect(answers[1]?.status).toBe(201);
      expect(dataOf(answers[1])).toEqual(dataOf(answers[0]));
      expect((await ada.call('listMappings', { query: { search: 'Once' } })).meta.total).toBe(1);
    });

    it('rejections are repeated as well', async () => {
      const options = { body: { mapping_id: 999, name: 'x', wrapper_type: 'graphdb_a' }, headers: key };
      const refusals = [
        await ada.refused('POST', '/api/instances', options),
        await ada.refused('POST', '/api/instances', options),
      ];
      expect(refusals[0]?.status).toBe(404);
      expect(refusals[1]).toEqual(refusals[0]);
    });

    it('another body under a used key is rejected', async () => {
      const other = { body: { ...townMapping, name: 'Twice' }, headers: key };
      expect(await ada.refused('POST', '/api/mappings', other)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field: 'Idempotency-Key' },
      });
    });

    it('keys belong to one user', async () => {
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

    it('a restart keeps the answers', async () => {
      const before = await ada.send('POST', '/api/mappings', first);
      await system.stop();
      await system.start();
      const after = await ada.send('POST', '/api/mappings', first);
      expect(after.status).toBe(201);
      expect(dataOf(after)).toEqual(dataOf(before));
    });
  });

  const dataOf = (answer: { readonly body: unknown } | undefined): unknown => (answer?.body as { data: unknown }).data;

  describe('lists', () => {
    const names = async (query: Record<string, string | number>): Promise<readonly string[]> =>
      (await ada.call('listMappings', { query })).data.map(({ name }) => name);

    it('lists of mappings are filtered, sorted and paged', async () => {
      const start = (await bob.call('createMapping', { body: { ...townMapping, name: 'List b' } })).data.created_at;
      await createMapping(bob, { ...townMapping, name: 'list A', description: '100% sure' });
      await createMapping(ada, { ...townMapping, name: 'LIST c_d' });
      expect(await names({ search: 'list' })).toEqual(['LIST c_d', 'list A', 'List b']);
      expect(await names({ search: 'list', sort_order: 'asc' })).toEqual(['List b', 'list A', 'LIST c_d']);
      expect(await names({ search: 'list', owner: 'bob', sort_by: 'name', sort_order: 'asc' })).toEqual([
        'List b',
        'list A',
      ]);
      expect(await names({ search: '0% S' })).toEqual(['list A']);
      expect(await names({ search: 'c_d' })).toEqual(['LIST c_d']);
      expect(await names({ search: '_ist' })).toEqual([]);
      expect(await names({ created_after: start, limit: 2, offset: 1 })).toEqual(['list A', 'List b']);
      expect(await names({ created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
      const { meta } = await ada.call('listMappings', { query: { search: 'list', limit: 1, offset: 1 } });
      expect(meta).toMatchObject({ total: 3, limit: 1, offset: 1 });
    });

    it('lists of instances are filtered', async () => {
      const failing = await createMapping(bob, {
        name: 'Failing',
        node_definitions: [{ ...person, sql: 'SELECT id FROM nowhere' }],
      });
      const instance = (name: string) => ({ body: { mapping_id: failing, name, wrapper_type: 'graphdb_a' } });
      const { id } = (await bob.call('createInstance', instance('one of mine'))).data;
      const { snapshot_id } = await untilSettled(bob, id);
      const found = async (query: Record<string, string | number>): Promise<readonly number[]> =>
        (await ada.call('listInstances', { query })).data.map((item) => item.id);
      expect(await found({ status: 'failed' })).toEqual([id]);
      expect(await found({ status: 'running' })).toEqual([]);
      expect(await found({ owner: 'bob', search: 'OF MINE' })).toEqual([id]);
      expect(await found({ owner: 'ada' })).toEqual([]);
      expect(await found({ snapshot_id: snapshot_id ?? 0 })).toEqual([id]);
      expect(await found({ snapshot_id: 999 })).toEqual([]);
      for (const sort_by of ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes']) {
        expect(await found({ sort_by })).toEqual([id]);
      }
    });

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
};
