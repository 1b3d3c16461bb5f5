import { createApiClient } from '../../../../adapters/client';
import { exchange } from '../../../../adapters/client/exchange';
import { createSessions } from '../../../../adapters/http/identity';
import { expectRight } from '../../../support/given-when-then';
import { type InProcessApi, startInProcessApi } from '../../../support/in-process-api';

const KEY_ID = '0123456789abcdef01234567';
const NOW = Date.UTC(2026, 2, 1, 12);

describe('a session', () => {
  const at = (nowMs: number, baseUrl = 'https://rowgraph.example.org/graphs/', secret = 'secret') =>
    createSessions(secret, baseUrl, { now: () => new Date(nowMs) });
  const request = (cookie: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) => {
    const all: Readonly<Record<string, string>> = {
      Cookie: cookie.split(';')[0] ?? '',
      Host: 'inside:8080',
      ...headers,
    };
    return { method, header: (name: string) => all[name] };
  };

  it('a session is a cookie for pages of this server alone, which ends with the key at the latest', () => {
    const { cookie, session } = at(NOW).open(KEY_ID, null);
    expect(cookie).toMatch(
      /^rowgraph_session=[^;]+; Max-Age=43200; Path=\/graphs\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(session.expiresAt).toBe('2026-03-02T00:00:00.000Z');
    expect(at(NOW, 'http://127.0.0.1:8080').open(KEY_ID, null).cookie).toMatch(/ Path=\/; HttpOnly; SameSite=Strict$/);
    const short = at(NOW).open(KEY_ID, '2026-03-01T12:00:30.500Z');
    expect(short.cookie).toContain('; Max-Age=30; ');
    const readAt = (nowMs: number) => at(nowMs).read(request(`a=b; ${short.cookie}`.split('; Max')[0] ?? ''));
    expect([at(NOW).read(request(short.cookie))?.keyId, readAt(NOW + 30_600)]).toEqual([KEY_ID, null]);
  });

  it('a session is not valid when it was changed, signed with another secret, or sent by a page of another origin', () => {
    const { cookie } = at(NOW).open(KEY_ID, null);
    const read = (...given: Parameters<typeof request>) => at(NOW + 1_000).read(request(...given));
    const own = { Origin: 'https://rowgraph.example.org' };
    expect(read(cookie)).not.toBeNull();
    expect(read(cookie, 'POST', own)).not.toBeNull();
    expect(read(cookie, 'POST', { Origin: 'http://inside:8080' })).not.toBeNull();
    for (const [method, headers] of [
      ['POST', {}],
      ['POST', { Origin: 'https://evil.example.org' }],
      ['GET', { Origin: 'https://rowgraph.example.org:444' }],
      ['DELETE', { Origin: 'null' }],
    ] as const) {
      expect(read(cookie, method, headers)).toBeNull();
    }
    expect(read(cookie.replace(KEY_ID, KEY_ID.replace('0', '1')))).toBeNull();
    expect(read(cookie.replace(/\.(\d)/, '.9'))).toBeNull();
    expect(read('rowgraph_session=')).toBeNull();
    expect(at(NOW, undefined, 'another secret').read(request(cookie))).toBeNull();
  });
});

describe('the session of a key', () => {
  let api: InProcessApi;
  afterAll(() => api.close());

  it('a session identifies the user of the key until it is closed or the key is revoked', async () => {
    const bootstrapToken = 'the bootstrap token of a test';
    api = await startInProcessApi(undefined, {
      ROWGRAPH_IDENTITY_MODE: 'api-key',
      ROWGRAPH_BOOTSTRAP_TOKEN: bootstrapToken,
    });
    const first = createApiClient(api.url, { kind: 'first_user', key: null, edgeToken: null, bootstrapToken });
    const { api_key: key = '' } = expectRight(await first.bootstrap({ body: { username: 'olivia' } })).data;
    const anonymous = api.as(null);
    const bearer = { Authorization: `Bearer ${key}` };
    expect((await anonymous.call('getSession', { headers: bearer })).data.expires_at).toBeNull();
    const { data, headers } = await anonymous.call('openSession', { body: {}, headers: bearer });
    const [set = ''] = headers['set-cookie'] ?? [];
    expect(set).not.toContain(key.slice(-20));
    const Cookie = set.split(';')[0] ?? '';
    expect((await anonymous.call('getSession', { headers: { Cookie } })).data).toEqual(data);
    const body = { username: 'ada' };
    const path = '/api/users';
    expect((await anonymous.refused('POST', path, { body, headers: { Cookie } })).status).toBe(401);
    await anonymous.call('createUser', { body, headers: { Cookie, Origin: api.url } });
    const { headers: closed } = await anonymous.call('closeSession', { headers: { Cookie } });
    expect(closed['set-cookie']).toEqual([expect.stringMatching(/^rowgraph_session=; Max-Age=0; /)]);
    const { data: keys } = await anonymous.call('listApiKeys', { id: 'olivia', headers: bearer });
    await anonymous.send('DELETE', `/api/users/olivia/api-keys/${keys[0]?.id}`, { headers: bearer });
    expect(await anonymous.refused('GET', path, { headers: { Cookie } })).toMatchObject({
      status: 401,
      details: { reason: 'api_key_missing' },
    });
    const page = await exchange({ method: 'GET', url: new URL('/health', api.url), headers: { Cookie } });
    expect(expectRight(page).status).toBe(200);
  });
});
