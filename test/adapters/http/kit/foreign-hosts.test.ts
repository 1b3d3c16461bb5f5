import { exchange } from '../../../../adapters/client/exchange';
import { freePort } from '../../../support/free-port';
import { expectRight } from '../../../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../../../support/in-process-api';

let api: InProcessApi;
afterEach(() => api.close());

/** The status of a GET with these headers. */
const statusOf = async (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  expectRight(await exchange({ method: 'GET', url: new URL(url), headers })).status;

const PATHS = ['/', '/health', '/ready', '/api/mappings', '/graphs/a-slug/status', '/metrics', '/api/internal/x'];
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { Host: 'attacker.example' },
  { Host: 'attacker.example:8080', Origin: 'http://attacker.example:8080' },
  { Host: '127.0.0.1.attacker.example' },
  { Host: 'user@attacker.example' },
  { Origin: 'https://attacker.example' },
  { Origin: 'null' },
];

describe('a system without credentials on this machine', () => {
  it('a system without credentials answers 421 on both ports for another host, and to pages of another origin', async () => {
    api = await startInProcessApi();
    for (const url of [api.url, api.internalUrl]) {
      for (const headers of FOREIGN) {
        const statuses = await Promise.all(PATHS.map((path) => statusOf(url + path, headers)));
        expect([url, headers, statuses]).toEqual([url, headers, PATHS.map(() => 421)]);
      }
    }
    const answer = await exchange({
      method: 'POST',
      url: new URL('/api/users/bootstrap', api.url),
      headers: { Host: 'attacker.example', 'Content-Type': 'text/plain' },
      body: '{"username":"eve"}',
    });
    const { text, headers } = expectRight(answer);
    const { error, meta } = JSON.parse(text) as { readonly error: object; readonly meta: { request_id: string } };
    expect(error).toMatchObject({ code: 'MISDIRECTED_REQUEST', details: {} });
    expect(meta.request_id).toBe(headers['x-request-id']);
    await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
  });

  it('a system without credentials answers for the names of this machine, and for those of its base URLs', async () => {
    const port = await freePort();
    api = await startInProcessApi(undefined, {
      ROWGRAPH_INTERNAL_PORT: String(port),
      ROWGRAPH_INSTANCE_BASE_URL: 'https://graphs.example.org/graphs',
      ROWGRAPH_INTERNAL_URL: 'http://rowgraph-internal.example.org:8081',
    });
    const hosts = [
      'localhost:1',
      '127.0.0.1',
      '127.8.8.8:80',
      '[::1]:8080',
      'GRAPHS.example.org',
      'rowgraph-internal.example.org',
    ];
    for (const url of [`${api.url}/health`, `http://127.0.0.1:${port}/metrics`]) {
      for (const Host of hosts) expect([Host, await statusOf(url, { Host })]).toEqual([Host, 200]);
      expect(await statusOf(url, { Origin: 'http://localhost:3000' })).toBe(200);
    }
  });
});

describe('a system with credentials', () => {
  it.each([
    ['ROWGRAPH_IDENTITY_MODE', 'api-key'],
    ['ROWGRAPH_EDGE_TOKEN', 'the edge token of a test'],
  ])('a system with credentials answers for every host: %s', async (name, value) => {
    api = await startInProcessApi(undefined, { [name]: value });
    expect(await statusOf(`${api.url}/health`, { Host: 'rowgraph.example.org' })).toBe(200);
    expect(await statusOf(`${api.internalUrl}/metrics`, { Host: 'rowgraph-internal' })).toBe(200);
  });
});
