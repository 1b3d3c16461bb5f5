import { firstUser } from '../../../../adapters/maintenance/server-commands';
import { terminalOf } from '../../../support/command-line';
import { freePort } from '../../../support/free-port';
import { expectLeft, expectRight } from '../../../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../../../support/in-process-api';
import { waitFor } from '../../../support/wait-for';
import { whileUsersLag } from '../../../support/while-users-lag';

const TOKEN = 'the bootstrap token of a test';
const EDGE = 'the edge token of a test';
const PATH = '/api/users/bootstrap';
const body = { username: 'olivia' };
const DAY_MS = 24 * 3_600_000;

let api: InProcessApi;
afterEach(() => api.close());

describe('the first user of a system with API keys', () => {
  it('the first user is created with the bootstrap token alone, and gets a key that expires', async () => {
    api = await startInProcessApi(undefined, {
      ROWGRAPH_IDENTITY_MODE: 'api-key',
      ROWGRAPH_BOOTSTRAP_TOKEN: TOKEN,
    });
    const client = api.as(null);
    const refused = { status: 401, details: { reason: 'bootstrap_token' } };
    for (const token of ['', 'another token']) {
      const headers = { 'X-Bootstrap-Token': token };
      expect(await client.refused('POST', PATH, { body, headers })).toMatchObject(refused);
    }
    expect(await client.refused('GET', '/api/users')).toMatchObject({
      status: 401,
      details: { reason: 'api_key_missing', users: 'none', bootstrap_token: 'required' },
    });
    const headers = { 'X-Bootstrap-Token': TOKEN };
    const { data } = await client.call('bootstrap', { body, headers });
    const lifeMs = Date.parse(data.api_key_expires_at ?? '') - Date.parse(data.created_at);
    expect([data.role, Math.round(lifeMs / DAY_MS)]).toEqual(['ops', 30]);
    const bearer = { Authorization: `Bearer ${data.api_key}` };
    const { data: keys } = await client.call('listApiKeys', { id: 'olivia', headers: bearer });
    expect(keys.map(({ expires_at }) => expires_at)).toEqual([data.api_key_expires_at]);
    expect(await client.refused('POST', PATH, { body, headers })).toMatchObject({ status: 409 });
  });

  it('the first user gets a key while the read models lag', async () => {
    api = await startInProcessApi(undefined, {
      ROWGRAPH_IDENTITY_MODE: 'api-key',
      ROWGRAPH_BOOTSTRAP_TOKEN: TOKEN,
    });
    const headers = { 'X-Bootstrap-Token': TOKEN, 'Content-Type': 'application/json' };
    const post = () => fetch(`${api.url}${PATH}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await whileUsersLag(api, post);
    expect([answer.status, answer.headers.get('X-Consistency')]).toEqual([201, 'pending']);
    const { data } = (await answer.json()) as { readonly data: { readonly api_key: string } };
    expect(data).toMatchObject({ username: 'olivia', role: 'ops', is_active: true });
    const bearer = { Authorization: `Bearer ${data.api_key}` };
    await waitFor('the key is accepted', async () => {
      const { status } = await api.as(null).send('GET', '/api/users', { headers: bearer });
      return status === 200;
    });
  });

  it('the first user is created by the command on the server alone while no bootstrap token is set', async () => {
    api = await startInProcessApi(undefined, { ROWGRAPH_IDENTITY_MODE: 'api-key' });
    const headers = { 'X-Bootstrap-Token': '' };
    const { status, message } = await api.as(null).refused('POST', PATH, { body, headers });
    expect([status, message]).toEqual([401, expect.stringContaining('rowgraph first-user')]);
    const context = { environment: api.environment, terminal: terminalOf({ out: '', errors: '' }) };
    const { data } = expectRight(await firstUser('olivia', context));
    const { key, expires_at } = data as { readonly key: string; readonly expires_at: string };
    expect(Math.round((Date.parse(expires_at) - Date.now()) / DAY_MS)).toBe(30);
    const bearer = { headers: { Authorization: `Bearer ${key}` } };
    const isValid = async () => (await api.as(null).send('GET', '/api/ops/state', bearer)).status === 200;
    await waitFor('the key is valid', isValid);
    expect(expectLeft(await firstUser('eve', context)).lines.join()).toContain('exists already');
  });
});

describe('the first user behind a trusted edge', () => {
  it('the first user needs the token of the edge, as every other request does', async () => {
    api = await startInProcessApi(undefined, { ROWGRAPH_EDGE_TOKEN: EDGE });
    expect(await api.as(null).refused('POST', PATH, { body })).toMatchObject({
      status: 401,
      details: { reason: 'edge_token' },
    });
    await api.as(null).call('bootstrap', { body, headers: { 'X-Edge-Token': EDGE } });
  });

  it('the first user needs the bootstrap token too where other machines reach the port', async () => {
    const port = await freePort();
    api = await startInProcessApi(undefined, {
      ROWGRAPH_HOST: '0.0.0.0',
      ROWGRAPH_PORT: String(port),
      ROWGRAPH_BASE_URL: `http://127.0.0.1:${port}`,
      ROWGRAPH_EDGE_TOKEN: EDGE,
      ROWGRAPH_BOOTSTRAP_TOKEN: TOKEN,
    });
    const [edge, token] = [{ 'X-Edge-Token': EDGE }, { 'X-Bootstrap-Token': TOKEN }];
    const reasonFor = async (headers: Readonly<Record<string, string>>) =>
      (await api.as(null).refused('POST', PATH, { body, headers })).details['reason'];
    expect([await reasonFor(edge), await reasonFor(token)]).toEqual(['bootstrap_token', 'edge_token']);
    await api.as(null).call('bootstrap', { body, headers: { ...edge, ...token } });
  });
});
