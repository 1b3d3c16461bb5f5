import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient } from '../../support/api-client';
import { queryDatabase } from '../../support/at-rest';
import { commandLine } from '../../support/command-line';
import { openEventStream } from '../../support/event-stream';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  untilRunning,
} from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { crowdMapping, endlessMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const instanceAccess = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let bob: ApiClient;
  let carl: ApiClient;
  let mapping: number;
  let running: number;
  let waiting: number;
  let url: string;
  beforeAll(async () => {
    system = shared();
    [ada, bob, carl] = [system.as('ada'), system.as('bob'), system.as('carl')];
    mapping = await createMapping(ada, crowdMapping);
    running = await createInstance(ada, mapping, 'Runs');
    ({ instance_url: url } = await untilRunning(ada, running));
    waiting = await createInstance(ada, await createMapping(ada, endlessMapping), 'Waits');
  });

  const share = (id: number, mode: string, users?: readonly string[], client = ada) =>
    client.call('updateInstanceAccess', { id, body: { mode, ...(users && { users }) } });

  /** An answer without the parts in which any two answers differ: the ids sent, request id, date and position. */
  const plain = ({ status, headers, body }: Answer, ...sent: readonly (string | number)[]): unknown => {
    const { date: _date, 'x-request-id': requestId, 'x-event-position': position, ...rest } = headers;
    const text = [String(requestId), ...sent].reduce<string>(
      (all, id) => all.replaceAll(String(id), '<id>'),
      JSON.stringify(body),
    );
    return {
      status,
      headers: { ...rest, 'content-length': undefined },
      body: text,
      hasPosition: position !== undefined,
    };
  };

  interface Tried {
    readonly method: string;
    readonly path: string;
    readonly body?: object;
  }
  const tried = (...requests: readonly (readonly [string, string, object?])[]): readonly Tried[] =>
    requests.map(([method, path, body]) => ({ method, path, ...(body && { body }) }));

  const REQUESTS = tried(
    ['GET', ''],
    ['GET', '/progress'],
    ['GET', '/events'],
    ['GET', '/events?limit=1'],
    ['PUT', '', { name: 'Taken' }],
    ['PUT', '', {}],
    ['PUT', '/lifecycle', { ttl: 'PT1H' }],
    ['PUT', '/cpu', { cpu_cores: 1 }],
    ['PUT', '/memory', { memory_gb: 32 }],
    ['PUT', '/access', { mode: 'everyone' }],
    ['PUT', '/access', { mode: 'users', users: ['eve'] }],
    ['DELETE', ''],
  );

  const ADDRESS_REQUESTS = tried(
    ['GET', ''],
    ['GET', '/health'],
    ['GET', '/ready'],
    ['GET', '/status'],
    ['GET', '/schema'],
    ['GET', '/nothing'],
    ['POST', '/query', { query: 'RETURN 1' }],
    ['POST', '/query', {}],
    ['POST', '/subgraph', { cypher: 'MATCH (n) RETURN n LIMIT 1' }],
    ['POST', '/algo/pagerank', { node_label: 'Person', property_name: 'rank' }],
  );

  test('a pod answers only requests that the control plane forwards; others get no data', async () => {
    const line = system
      .output()
      .split('\n')
      .find((text) => text.includes('"listening"') && text.includes(`"instanceId":${running}`));
    const { port } = JSON.parse(line ?? '{}') as { port: number };
    const straight = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await Promise.all(['/schema', '/status', '/lock', '/', '/health', '/ready'].map(straight))).toEqual([
      ...[401, 401, 401, 401],
      ...[200, 200],
    ]);
    expect((await fetch(`${url}/schema`, { headers: { 'X-Username': 'ada' } })).status).toBe(200);
  });

  describe('access to an instance', () => {
    it('is open to all users by default, and part of the detail', async () => {
      expect((await findInstance(bob, running)).access).toEqual({ mode: 'everyone', users: [] });
      const body = { mapping_id: mapping, name: 'Ours', wrapper_type: 'graphdb_a' };
      const access = { mode: 'users', users: ['bob', 'bob'] };
      const { data } = await ada.call('createInstance', { body: { ...body, access } });
      expect((await findInstance(bob, data.id)).access).toEqual({ mode: 'users', users: ['bob'] });
      expect(await carl.refused('GET', `/api/instances/${data.id}`)).toMatchObject({ status: 404 });
      await deleteInstance(ada, data.id);
    });

    it('is granted to existing users', async () => {
      const access = { mode: 'users', users: ['bob', 'eve'] };
      const body = { mapping_id: mapping, name: 'Ours', wrapper_type: 'graphdb_a', access };
      expect(await ada.refused('POST', '/api/instances', { body })).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { 'access.users.1': 'must be the name of a user; eve is unknown' },
      });
      expect(await ada.refused('PUT', `/api/instances/${waiting}/access`, { body: access })).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        details: { field: 'users.1' },
      });
      for (const wrong of [{}, { mode: 'all' }, { mode: 'users', users: 'bob' }, { mode: 'users', users: [''] }]) {
        expect(await ada.refused('PUT', `/api/instances/${waiting}/access`, { body: wrong })).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
        });
      }
    });

    it('changes before the request is answered, by the owner, an admin or ops', async () => {
      const { data } = await share(running, 'users', ['bob']);
      expect(data).toEqual({ id: running, access: { mode: 'users', users: ['bob'] }, updated_at: data.updated_at });
      expect(await findInstance(bob, running)).toMatchObject({ access: data.access, updated_at: data.updated_at });
      const body = { mode: 'everyone' };
      expect(await bob.refused('PUT', `/api/instances/${running}/access`, { body })).toMatchObject({
        status: 403,
        code: 'PERMISSION_DENIED',
        details: { owner_username: 'ada', your_role: 'analyst' },
      });
      for (const username of ['ada', 'anna', 'olivia']) await findInstance(system.as(username), running);
      await share(running, 'owner', undefined, system.as('anna'));
      expect(await bob.refused('GET', `/api/instances/${running}`)).toMatchObject({ status: 404 });
      await share(running, 'everyone', undefined, system.as('olivia'));
      await findInstance(carl, running);
    });

    it('is set with the command line', async () => {
      const run = commandLine(system.folder);
      await run(['login', '--url', system.url, '--username', 'ada']);
      const shared = await run(['instances', 'share', 'Waits', 'users', '--users', 'bob, carl']);
      expect(shared.out).toBe(`Access to instance ${waiting}: owner and bob, carl.\n`);
      expect((await run(['instances', 'show', 'Waits'])).out).toMatch(/access +owner and bob, carl/);
      expect((await run(['instances', 'share', 'Waits', 'owner'])).out).toContain('owner only');
      await share(waiting, 'everyone');
    });
  });

  describe('without access an instance does not exist', () => {
    beforeAll(async () => {
      await share(running, 'users', ['bob']);
      await share(waiting, 'owner');
    });

    it.each(REQUESTS)('the API hides it: $method $path', async ({ method, path, body }) => {
      for (const id of [running, waiting]) {
        const hidden = await carl.send(method, `/api/instances/${id}${path}`, { body });
        const missing = await carl.send(method, `/api/instances/987654${path}`, { body });
        expect(plain(hidden, id)).toEqual(plain(missing, 987654));
        expect([400, 404]).toContain(hidden.status);
      }
    });

    it('favorites hide it', async () => {
      const body = (id: number) => ({ resource_type: 'instance', resource_id: id });
      for (const [method, path, withBody] of [
        ['POST', () => '/api/favorites', true],
        ['DELETE', (id: number) => `/api/favorites/instance/${id}`, false],
      ] as const) {
        const send = (id: number) => carl.send(method, path(id), withBody ? { body: body(id) } : {});
        expect(plain(await send(running), running)).toEqual(plain(await send(987654), 987654));
      }
      await bob.call('addFavorite', { body: body(running) });
      await share(running, 'owner');
      expect((await bob.call('listFavorites')).data).toEqual([]);
      await share(running, 'users', ['bob']);
      expect((await bob.call('listFavorites')).data).toMatchObject([{ resource_id: running }]);
    });

    it('live progress hides it, even after its deletion', async () => {
      const gone = await createInstance(ada, mapping, 'Gone');
      const path = (id: number) => `${system.url}/api/instances/${id}/progress`;
      const seen = await openEventStream(path(gone), { 'X-Username': 'ada' });
      for await (const event of seen) if (event.id !== '') break;
      seen.cut();
      await share(gone, 'owner');
      await deleteInstance(ada, gone);
      const headers = { 'X-Username': 'carl', 'Last-Event-ID': '1' };
      for (const id of [running, waiting, gone, 987654]) {
        expect((await openEventStream(path(id), headers)).status).toBe(404);
      }
      expect((await openEventStream(path(gone), { ...headers, 'X-Username': 'ada' })).status).not.toBe(404);
    });

    it.each(ADDRESS_REQUESTS)('its address hides it: $method $path', async ({ method, path, body }) => {
      const slug = url.split('/').at(-1) ?? '';
      const other = randomUUID();
      // Callers without an identity are asked for it.
      for (const [client, status] of [
        [carl, 404],
        [system.as('eve'), 401],
        [system.as(null), 401],
      ] as const) {
        const hidden = await client.send(method, `${url}${path}`, { body });
        const missing = await client.send(method, `${url.replace(slug, other)}${path}`, { body });
        expect(plain(hidden, slug)).toEqual(plain(missing, other));
        expect(hidden.status).toBe(status);
      }
    });

    it('lists and counts hide it, although its snapshot is listed', async () => {
      const names = async (client: ApiClient, query = {}) => {
        const { data, meta } = await client.call('listInstances', { query });
        expect(meta.total).toBe(data.length);
        return data.map(({ name }) => name);
      };
      expect(await names(ada)).toEqual(['Waits', 'Runs']);
      expect(await names(bob)).toEqual(['Runs']);
      expect(await names(carl)).toEqual([]);
      expect(await names(carl, { owner: 'ada', search: 'runs' })).toEqual([]);
      expect(await names(system.as('anna'))).toEqual(['Waits', 'Runs']);
      const snapshot = (await findInstance(ada, running)).snapshot_id ?? 0;
      for (const [client, count] of [
        [bob, 1],
        [carl, 0],
      ] as const) {
        const counted = Array.from({ length: count }, () => expect.objectContaining({ id: running }) as unknown);
        expect((await client.call('listMappingInstances', { id: mapping })).meta.total).toBe(count);
        expect((await client.call('getMappingTree', { id: mapping })).data.totals.instance_count).toBe(count);
        const { data: snapshots } = await client.call('listMappingSnapshots', { id: mapping });
        expect(snapshots.find(({ id }) => id === snapshot)).toMatchObject({ instance_count: count });
        const { data } = await client.call('getSnapshot', { id: snapshot });
        expect(data.instances).toEqual(counted);
      }
    });
  });

  describe('a user with access', () => {
    it('may read and query; algorithms are restricted to the owner, admins and ops', async () => {
      await share(running, 'users', ['bob']);
      expect(await ask(bob, url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100_000]]);
      const body = { node_label: 'Person', property_name: 'rank' };
      const start = async (username: string) =>
        (await system.as(username).send('POST', `${url}/algo/pagerank`, { body })).status;
      expect(await start('bob')).toBe(403);
      for (const username of ['ada', 'anna', 'olivia']) expect([202, 409]).toContain(await start(username));
    });

    it('needs no identity on one machine without an edge token, where the instance is open to all', async () => {
      await share(running, 'everyone');
      expect(await ask(system.as(null), url, 'RETURN 1 AS one')).toEqual([[1]]);
      const body = { node_label: 'Person', property_name: 'rank' };
      expect((await system.as(null).send('POST', `${url}/algo/pagerank`, { body })).status).toBe(401);
    });

    it('receives no more of an open stream soon after losing access', async () => {
      await share(running, 'users', ['bob']);
      await share(waiting, 'users', ['bob']);
      const progress = await openEventStream(`${system.url}/api/instances/${waiting}/progress`, {
        'X-Username': 'bob',
      });
      const watched = (async () => {
        for await (const event of progress) expect(event.event).not.toBe('done');
      })();
      // The count takes longer than any test waits.
      const query = 'MATCH (a:Person), (b:Person) WHERE a.id + b.id < 0 RETURN count(*)';
      const long = bob.refused('POST', `${url}/query`, { body: { query, timeout_ms: 1_800_000 } });
      await share(running, 'users', ['carl']);
      await share(waiting, 'owner');
      expect(await long).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
      await watched;
      expect(await bob.refused('GET', `/api/instances/${waiting}/progress`)).toMatchObject({ status: 404 });
    });
  });

  describe('an access token', () => {
    const issue = async (client: ApiClient, expires_in = 'PT8H', id = running) =>
      (await client.call('issueAccessToken', { id, body: { expires_in } })).data;
    const anonymous = () => system.as(null);
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    const query = { body: { query: 'RETURN 1 AS one' } };
    const status = async (target: string, token: string, how: 'header' | 'query' = 'header') => {
      const [path, headers] = how === 'query' ? [`${target}?access_token=${token}`, {}] : [target, bearer(token)];
      return (await anonymous().send('POST', path, { ...query, headers })).status;
    };
    beforeAll(() => share(running, 'users', ['bob', 'carl']));

    it('has the rights of its user on the instance', async () => {
      const { id, token, expires_at } = await issue(bob);
      expect(token).toMatch(/^rgt_/);
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 7 * 3_600_000);
      for (const how of ['header', 'query'] as const) expect(await status(`${url}/query`, token, how)).toBe(200);
      const run = { body: { node_label: 'Person', property_name: 'rank' } };
      const start = async (given: string) =>
        (await anonymous().send('POST', `${url}/algo/pagerank`, { ...run, headers: bearer(given) })).status;
      expect(await start(token)).toBe(403);
      expect([202, 409]).toContain(await start((await issue(ada)).token));
      const found = await queryDatabase(
        system,
        `SELECT 1 FROM es.events WHERE data::text LIKE '%${token.slice(-43)}%'`,
      );
      expect(found).toEqual([]);
      expect(system.output()).not.toContain(token);
      await bob.send('DELETE', `/api/instances/${running}/access-tokens/${id}`);
    });

    it('is rejected at the API, at other instances, and after it was changed, revoked or expired', async () => {
      const { id, token } = await issue(bob);
      for (const path of ['/api/instances', `/api/instances/${running}/access-tokens`]) {
        for (const headers of [bearer(token), { ...bearer(token), 'X-Username': 'bob' }]) {
          expect(await anonymous().refused('GET', path, { headers })).toMatchObject({ status: 401 });
        }
        expect(await bob.refused('GET', `${path}?access_token=${token}`)).toMatchObject({ status: 401 });
      }
      const [row] = await queryDatabase<{ readonly url_slug: string }>(
        system,
        `SELECT url_slug FROM instances WHERE id = ${waiting}`,
      );
      const slug = url.split('/').at(-1) ?? '';
      for (const other of [row?.url_slug ?? '', randomUUID()]) {
        expect(await status(`${url.replace(slug, other)}/query`, token)).toBe(401);
      }
      for (const wrong of [`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, 'rgt_x', '']) {
        expect(await status(`${url}/query`, wrong, 'query')).toBe(401);
      }
      expect(await bob.send('DELETE', `/api/instances/${running}/access-tokens/${id}`)).toMatchObject({ status: 200 });
      expect(await status(`${url}/query`, token)).toBe(401);
      const short = await issue(bob, 'PT1S');
      await waitFor('the token has expired', async () => (await status(`${url}/query`, short.token)) === 401);
      // It is not an anonymous call either, which an instance for everyone would answer.
      await share(running, 'everyone');
      expect(await status(`${url}/query`, token)).toBe(401);
      await share(running, 'users', ['bob', 'carl']);
    });

    it('is listed to its user, and to the owner, admins and ops, without its secret', async () => {
      const [bobs, carls] = [await issue(bob), await issue(carl, 'PT2H')];
      const path = `/api/instances/${running}/access-tokens`;
      const listed = async (username: string) => {
        const { data } = await system.as(username).call('listAccessTokens', { id: running });
        return data.map(({ id }) => id).filter((id) => id === bobs.id || id === carls.id);
      };
      expect(await listed('bob')).toEqual([bobs.id]);
      for (const username of ['ada', 'anna', 'olivia']) expect(await listed(username)).toEqual([carls.id, bobs.id]);
      expect(JSON.stringify((await ada.send('GET', path)).body)).not.toContain(bobs.token.slice(-43));
      expect(await carl.refused('DELETE', `${path}/${bobs.id}`)).toMatchObject({ status: 403 });
      expect(await ada.send('DELETE', `${path}/${bobs.id}`)).toMatchObject({ status: 200 });
      expect(await ada.refused('DELETE', `${path}/${bobs.id}`)).toMatchObject({ status: 404 });
      expect(await status(`${url}/query`, bobs.token)).toBe(401);
      // Without access, its user learns of no instance by any route.
      await share(running, 'users', ['bob']);
      expect(await status(`${url}/query`, carls.token)).toBe(404);
      for (const [method, end, body] of [
        ['GET', ''],
        ['POST', '', { expires_in: 'PT1H' }],
        ['DELETE', `/${carls.id}`],
      ] as const) {
        const hidden = await carl.send(method, `${path}${end}`, { body });
        const missing = await carl.send(method, `/api/instances/987654/access-tokens${end}`, { body });
        expect(plain(hidden, running)).toEqual(plain(missing, 987654));
      }
    });

    it('is valid for a day at most', async () => {
      for (const expires_in of ['PT25H', 'P2D', '8h', undefined]) {
        const path = `/api/instances/${running}/access-tokens`;
        expect(await ada.refused('POST', path, { body: { expires_in } })).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          details: { field: 'expires_in' },
        });
      }
    });

    it('is issued, listed and revoked with the command line', async () => {
      const run = commandLine(system.folder);
      await run(['login', '--url', system.url, '--username', 'ada']);
      const made = await run(['tokens', 'create', 'Runs', '--expires-in', '2h']);
      expect(await status(`${url}/query`, made.out.trim())).toBe(200);
      const id = made.out.split('_')[1] ?? '';
      expect((await run(['tokens', 'list', 'Runs', '--tsv'])).out).toContain(id);
      expect((await run(['tokens', 'revoke', 'Runs', id])).out).toBe('Revoked the token.\n');
      expect(await status(`${url}/query`, made.out.trim())).toBe(401);
    });
  });
};
