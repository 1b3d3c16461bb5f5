import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyEndpoint } from '../../adapters/http/kit';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { MASKED } from '../../adapters/system/log-options';
import { type ApiClient } from '../support/api-client';
import { queryDatabase } from '../support/at-rest';
import { createInstance, createMapping, untilRunning, untilSettled } from '../support/instances';
import { leaksIn } from '../support/leaks';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, person, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import { whileFrozen } from '../support/while-frozen';

jest.setTimeout(4 * TIMEOUT_MS);

const EDGE_TOKEN = 'the-token-of-the-edge-of-this-proof';
const QUERY = 'colour=secret-text';
const HEADERS = { 'X-Edge-Token': EDGE_TOKEN };

/** All secrets that the system has received or sent, by kind. */
const secrets = new Map<string, string>();
const secretOf = (what: string, secret: string | undefined): string => {
  if (secret === undefined || secret.length < 8) throw new Error(`There is no ${what}.`);
  secrets.set(what, secret);
  return secret;
};

let system: RunningSystem;
let ada: ApiClient;
let bob: ApiClient;
let olivia: ApiClient;
let anonymous: ApiClient;
let url: string;
let slug: string;
let token: string;

/** The same client behind the edge. */
const behindEdge = (client: ApiClient): ApiClient => ({
  send: (method, path, options) =>
    client.send(method, path, { ...options, headers: { ...HEADERS, ...options?.headers } }),
  call: (name, input) => client.call(name, { ...input, headers: { ...HEADERS, ...input?.headers } }),
  refused: (method, path, options) => client.refused(method, path, { ...options, headers: HEADERS }),
});
const as = (username: string | null): ApiClient => behindEdge(system.as(username));
/** For requests whose answer does not matter, or that get none. */
const trySend = (client: ApiClient, method: string, path: string, options = {}): Promise<unknown> =>
  client.send(method, path, options).catch(() => null);
/** The token in the file that the environment of a program names. */
const tokenOf = (part: 'pod' | 'export worker'): string => {
  const [process] = system.processes(part);
  const environment = readFileSync(`/proc/${process?.pid ?? 0}/environ`, 'utf8');
  return readFileSync(/_TOKEN_FILE=([^\0]+)/.exec(environment)?.[1] ?? '', 'utf8');
};
const untilLogged = (text: string | RegExp): Promise<void> =>
  waitFor(`the log contains ${String(text)}`, () => system.output().match(text) !== null, TIMEOUT_MS);

beforeAll(async () => {
  const settings = { ROWGRAPH_EDGE_TOKEN: EDGE_TOKEN, ROWGRAPH_LOG_LEVEL: 'trace' };
  system = await startRunningSystem(fillWarehouse, settings, async (started) => {
    const first = behindEdge(started.as(null));
    await first.call('bootstrap', { body: { username: 'olivia' } });
    for (const username of ['ada', 'bob']) {
      await behindEdge(started.as('olivia')).call('createUser', { body: { username } });
    }
  });
  [ada, bob, olivia, anonymous] = [as('ada'), as('bob'), as('olivia'), as(null)];
  secretOf('token of the edge', EDGE_TOKEN);
  secretOf('query of an address', QUERY.split('=')[1]);
  secretOf('internal secret', readFileSync(join(system.folder, 'internal-secret'), 'utf8').trim());
  const address = readFileSync(join(system.folder, 'database-url'), 'utf8');
  secretOf('password of the database', /:([^:@/]+)@/.exec(address)?.[1]);
  secretOf('token of the worker', tokenOf('export worker'));
  secretOf('API key', (await ada.call('createApiKey', { id: 'ada', body: { name: 'notebook' } })).data.key);

  const id = await createInstance(ada, await createMapping(ada, townMapping));
  await ada.call('updateInstanceAccess', { id, body: { mode: 'owner' } });
  url = (await untilRunning(ada, id)).instance_url;
  slug = secretOf('slug', url.split('/').at(-1));
  secretOf('token of the pod', tokenOf('pod'));
  const issued = await ada.call('issueAccessToken', { id, body: { expires_in: 'PT1H' } });
  token = secretOf('access token', issued.data.token);
});
afterAll(() => system.close());

/** Sends every operation as a user without access to the instance, with every existing id. */
const everyRequest = (): readonly (readonly [string, string])[] =>
  Object.values<AnyEndpoint>(publicEndpoints).flatMap(({ method, path }) => {
    const ids = path.includes('{') ? ['1', '2', 'instance', slug] : [''];
    return ids.map((id) => [method, `/api${path.replaceAll(/\{\w+\}/g, id)}`] as const);
  });

describe('slugs, keys, tokens, passwords and queries', () => {
  it('are in no answer to another user', async () => {
    for (const client of [bob, anonymous]) {
      for (const [method, path] of everyRequest()) {
        const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
        const answer = await client.send(method, path, options);
        const text = JSON.stringify(answer.body).replaceAll(path, '');
        const leaked = [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what);
        expect([method, path, path.includes(slug) ? leaked.filter((what) => what !== 'slug') : leaked]).toEqual([
          method,
          path,
          [],
        ]);
      }
    }
  });

  it('are in requests of all kinds, valid and invalid', async () => {
    const query = { body: { query: 'MATCH (p:Person) RETURN count(*)' } };
    const bearer = { ...query, headers: { Authorization: `Bearer ${token}` } };
    expect(await anonymous.send('POST', `${url}/query?access_token=${token}`, query)).toMatchObject({
      status: 200,
    });
    expect(await anonymous.send('POST', `${url}/query`, bearer)).toMatchObject({ status: 200 });
    for (const path of [
      `${url}/nothing?${QUERY}`,
      `${url}/%zz?${QUERY}`,
      `${url}?access_token=${token}x`,
      `/graphs/${slug}${slug}/schema?${QUERY}`,
      `/graphs/${token}/schema`,
      `/graph/${slug}?${QUERY}`,
      `/${slug}`,
      `/${token}?${QUERY}`,
      `/api/instances/${slug}?${QUERY}`,
      `/api/mappings?search=${slug}`,
      `/api/mappings?${QUERY}`,
      `/api/nothing/${secrets.get('API key')}?${QUERY}`,
      `/api/users/${secrets.get('API key')}`,
      `/api/instances/%zz${slug}`,
      `/api/internal/instances/${slug}/authorize?${QUERY}`,
      `//${slug}`,
    ]) {
      for (const client of [ada, bob, anonymous, system.as('ada')]) {
        for (const method of ['GET', 'POST', 'PATCH']) await trySend(client, method, path);
      }
    }
    const internal = `http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}`;
    for (const [name, given] of secrets) {
      const headers = { Authorization: `Bearer ${given}`, 'X-Component': name.includes('pod') ? 'wrapper' : 'worker' };
      for (const path of ['export-jobs/claim', `instances/${slug}/authorize?${QUERY}`, 'instances/1/mapping']) {
        await trySend(system.as('ada'), 'GET', `${internal}/api/internal/${path}`, { headers });
      }
      await trySend(system.as('ada'), 'GET', '/api/mappings', { headers: { ...headers, 'X-Edge-Token': `${given}!` } });
    }
    await untilLogged(/"path":"\/graphs\/\d+\/nothing"/);
  });

  it('are present when exports fail, pods freeze and die, events are parked and the database fails', async () => {
    const broken = await createMapping(ada, {
      name: 'Broken',
      node_definitions: [{ ...person, sql: 'SELECT id, nothing FROM people' }],
    });
    expect((await untilSettled(ada, await createInstance(ada, broken))).status).toBe('failed');

    const pods = system.processes('pod').map(({ pid }) => pid);
    await whileFrozen(pods, async () => {
      await trySend(ada, 'PUT', '/api/instances/1/cpu', { body: { cpu_cores: 3 } });
      await trySend(ada, 'GET', `${url}/schema?${QUERY}`);
    });
    await untilLogged('the lock of a pod cannot be read');

    const [schema] = await queryDatabase<{ readonly name: string }>(
      system,
      "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'rm_instances_v%'",
    );
    await queryDatabase(
      system,
      `ALTER TABLE ${schema?.name}.instances ADD CONSTRAINT unwanted CHECK (name <> 'Unwanted')`,
    );
    const parked = (await olivia.call('listMappings', {})).data[0]?.id ?? 0;
    await trySend(ada, 'POST', '/api/instances', {
      body: { mapping_id: parked, name: 'Unwanted', wrapper_type: 'graphdb_a' },
    });
    await untilLogged('cannot apply the InstanceRequested');
    const { data: found } = await olivia.call('listParkedEvents', {});
    expect(found).toMatchObject([{ event_type: 'InstanceRequested' }]);

    const asked = trySend(anonymous, 'POST', `${url}/query?access_token=${token}`, {
      body: {
        query:
          'MATCH (a:Person), (b:Person), (c:Person), (d:Person) WHERE a.id + b.id + c.id + d.id < 0 RETURN count(*)',
      },
    });
    await system.kill('pod');
    await asked;
    await untilLogged('pod ended by itself');
    await system.kill('export worker');
    await untilLogged('program ended and is restarted');
    await system.kill('postgres');
    await Promise.all([
      trySend(ada, 'GET', `/api/instances?${QUERY}`),
      trySend(anonymous, 'POST', `${url}/query?access_token=${token}`, { body: { query: 'RETURN 1' } }),
    ]);
    await waitFor(
      'the system is ready again',
      async () => (await system.as(null).send('GET', '/ready')).status === 200,
      TIMEOUT_MS,
    );
  });

  it('are in no log line, no metric and no command line', async () => {
    const metrics = await fetch(`http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}/metrics`);
    const lines = [
      ...system.output().split('\n'),
      ...(await metrics.text()).split('\n'),
      ...system.processes().map(({ command }) => command),
    ];
    expect(lines.length).toBeGreaterThan(500);
    for (const [what, secret] of secrets) {
      expect([what, lines.filter((line) => line.includes(secret))]).toEqual([what, []]);
    }
    expect(lines.filter((line) => line.includes(MASKED))).toEqual([]);
    expect(leaksIn(lines, system.environment)).toEqual([]);
  });
});

it.each([
  ['a slug', '{"msg":"the pod graph-7f1d9a52-3d0c-4b7e-9a51-0c5b0f3f6e11 ended"}'],
  ['a mask', `{"msg":"${MASKED}"}`],
  ['an API key', 'rgk_0123456789abcdef01234567_x'],
  ['a query', '{"path":"/api/mappings?search=x"}'],
  ['a password', 'postgres://rowgraph:hidden@127.0.0.1/postgres'],
  ['the token of an edge', 'edge-token-of-a-test'],
])('a check of the logs finds %s', (_what, line) => {
  const environment = { ROWGRAPH_EDGE_TOKEN: 'edge-token-of-a-test' };
  expect(leaksIn(['{"msg":"instance 7 runs"}', line], environment)).toEqual([line]);
});
