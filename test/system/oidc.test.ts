import { createHmac } from 'node:crypto';
import { type ApiClient } from '../support/api-client';
import { type InProcessApi, startInProcessApi } from '../support/in-process-api';
import { logOf, streamOf } from '../support/log-of';
import { AUDIENCE, createOidcIssuer, makeSigningKey, type OidcIssuer, unsignedToken } from '../support/oidc-issuer';
import { waitFor } from '../support/wait-for';
import { whileUsersLag } from '../support/while-users-lag';

/** The users of the issuer, and the claims in their tokens. */
const PEOPLE = {
  olivia: { preferred_username: 'olivia', name: 'Olivia O', email: 'olivia@example.org' },
  ada: { preferred_username: 'ada', name: 'Ada L', email: 'ada@example.org' },
  bob: { preferred_username: 'bob' },
  machine: {},
};

let issuer: OidcIssuer;
beforeAll(async () => {
  issuer = await createOidcIssuer(PEOPLE);
  await issuer.start();
});
afterAll(() => issuer.kill());

const startApi = (settings: Readonly<Record<string, string>> = {}): Promise<InProcessApi> =>
  startInProcessApi(undefined, {
    ROWGRAPH_IDENTITY_MODE: 'oidc',
    ROWGRAPH_OIDC_ISSUER: issuer.issuer,
    ROWGRAPH_OIDC_AUDIENCE: AUDIENCE,
    // The tests try many wrong tokens.
    ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '1000',
    ...settings,
  });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const ask = (client: ApiClient, token: string, path = '/api/mappings') =>
  client.send('GET', path, { headers: bearer(token) });
const refusal = (client: ApiClient, token: string, path = '/api/mappings') =>
  client.refused('GET', path, { headers: bearer(token) });
const recordOf = async (client: ApiClient, username: string, token: string) =>
  (await client.call('getUser', { id: username, headers: bearer(token) })).data;

describe('with an identity provider', () => {
  let api: InProcessApi;
  let client: ApiClient;
  let olivia: string;
  beforeAll(async () => {
    api = await startApi();
    client = api.as(null);
    olivia = await issuer.token('olivia');
  });
  afterAll(() => api.close());

  it('the first user is the bearer of a token, including one who was created as an analyst before', async () => {
    const path = '/api/users/bootstrap';
    expect(await client.refused('POST', path, { body: { username: 'olivia' } })).toMatchObject({
      status: 401,
      details: { reason: 'token_missing' },
    });
    expect(await recordOf(client, 'olivia', olivia)).toMatchObject({ role: 'analyst' });
    const forged = issuer.forge({ preferred_username: 'olivia' }, { key: makeSigningKey(issuer.key().kid) });
    expect(await client.refused('POST', path, { body: {}, headers: bearer(forged) })).toMatchObject({
      status: 401,
      details: { field: 'signature' },
    });
    expect(await client.refused('POST', path, { body: { username: 'eve' }, headers: bearer(olivia) })).toMatchObject({
      status: 400,
      details: { field: 'username' },
    });
    const { data } = await client.call('bootstrap', { body: {}, headers: bearer(olivia) });
    expect(data).toMatchObject({ username: 'olivia', display_name: 'Olivia O', role: 'ops' });
    expect(data).not.toHaveProperty('api_key');
    expect((await ask(client, olivia, '/api/ops/state')).status).toBe(200);
    const bob = await issuer.token('bob');
    expect(await client.refused('POST', path, { body: {}, headers: bearer(bob) })).toMatchObject({ status: 409 });
  });

  it('unknown users are created as analysts on their first request, once each, with name and address', async () => {
    const ada = await issuer.token('ada');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(client, ada)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const made = (await logOf(api)).filter(({ type, streamId }) => type === 'UserCreated' && streamId === 'user-ada');
    expect(made.map(({ metadata }) => metadata.actor)).toEqual(['system:oidc']);
    expect(await recordOf(client, 'ada', ada)).toMatchObject({
      username: 'ada',
      display_name: 'Ada L',
      email: 'ada@example.org',
      role: 'analyst',
    });
    expect(await refusal(client, ada, '/api/ops/state')).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('API keys remain valid, and identity headers are ignored', async () => {
    const made = await client.call('createApiKey', { id: 'olivia', body: { name: 'a' }, headers: bearer(olivia) });
    expect((await ask(client, made.data.key, '/api/ops/state')).status).toBe(200);
    const wrong = `${made.data.key.slice(0, -1)}${made.data.key.endsWith('A') ? 'B' : 'A'}`;
    expect(await refusal(client, wrong)).toMatchObject({ status: 401, details: { reason: 'api_key_invalid' } });
    const named = await client.send('GET', '/api/mappings', { headers: { 'X-Username': 'olivia' } });
    expect(named.status).toBe(401);
    expect(named.headers['www-authenticate']).toBe('Bearer realm="rowgraph"');
  });

  it('deactivated users are rejected, whatever their token contains', async () => {
    const token = issuer.forge({ preferred_username: 'dora' });
    expect((await ask(client, token)).status).toBe(200);
    await client.call('deactivateUser', { id: 'dora', headers: bearer(olivia) });
    expect(await refusal(client, token)).toMatchObject({ status: 401, details: { reason: 'user_disabled' } });
  });

  const now = () => Math.floor(Date.now() / 1000);
  const publicPem = () => issuer.key().publicKey.export({ type: 'spki', format: 'pem' });
  const symmetric = (claims: object) => {
    const parts = [{ alg: 'HS256', typ: 'JWT', kid: issuer.key().kid }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature = createHmac('sha256', publicPem()).update(parts.join('.')).digest('base64url');
    return [...parts, signature].join('.');
  };
  const right = () => ({
    ...{ iss: issuer.issuer, aud: AUDIENCE, preferred_username: 'ada', iat: now(), exp: now() + 60 },
  });

  it.each<[string, string, RegExp, () => string | Promise<string>]>([
    ['that is none', 'token', /neither an API key nor a signed token/, () => 'abc'],
    ['of two parts', 'token', /neither/, () => 'e30.e30'],
    ['that expired', 'exp', /expired at 20.*get a new one/, () => issuer.forge({ exp: now() - 40 })],
    ['that never expires', 'exp', /has no exp/, () => issuer.forge({ exp: undefined })],
    ['of tomorrow', 'nbf', /is not valid before 20/, () => issuer.forge({ nbf: now() + 40 })],
    ['for another service', 'aud', /audience is .*other.*expected rowgraph/, () => issuer.token('ada', 'urn:other')],
    ['for several others', 'aud', /\["a","b"\]/, () => issuer.forge({ aud: ['a', 'b'] })],
    ['without an audience', 'aud', /has no aud/, () => issuer.forge({ aud: undefined })],
    ['of another issuer', 'iss', /issuer is http:\/\/evil/, () => issuer.forge({ iss: 'http://evil' })],
    ['of no issuer', 'iss', /issuer is missing/, () => issuer.forge({ iss: undefined })],
    ['signed with another key', 'signature', /signature/, () => issuer.forge({}, { key: makeSigningKey('first') })],
    [
      'with an unknown key',
      'kid',
      /the key other \(kid\), which http/,
      () => issuer.forge({}, { key: makeSigningKey('other') }),
    ],
    ['that is not signed', 'alg', /signed with none/, () => `${unsignedToken({ alg: 'none' }, right())}.`],
    ['signed with the public key as a secret', 'alg', /signed with HS256/, () => symmetric(right())],
    ['without a name', 'preferred_username', /has no preferred_username/, () => issuer.token('machine')],
    [
      'with a number for a name',
      'preferred_username',
      /is 7, .*must be a string/,
      () => issuer.forge({ preferred_username: 7 }),
    ],
    [
      'with a comma in the name',
      'preferred_username',
      /"?a,b"?, which is not a valid username/,
      () => issuer.forge({ preferred_username: 'a,b' }),
    ],
    [
      'with a reserved name',
      'preferred_username',
      /is system:oidc, .*not possible/,
      () => issuer.forge({ preferred_username: 'system:oidc' }),
    ],
    [
      'with an umlaut in the name',
      'preferred_username',
      /ASCII/,
      () => issuer.forge({ preferred_username: 'jörg "j"' }),
    ],
  ])('a token %s is rejected, with the field %s', async (_what, field, words, token) => {
    const { status, headers, body } = await ask(client, await token());
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED', message: expect.stringMatching(words) as unknown, details: { field } } },
    });
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="rowgraph", error="invalid_token", error_description="[\x20\x21\x23-\x5b\x5d-\x7e]+"$/,
    );
  });

  it('clocks may differ by half a minute', async () => {
    expect((await ask(client, issuer.forge({ exp: now() - 20, nbf: now() + 20 }))).status).toBe(200);
  });

  it('a token for several services, including rowgraph, is accepted', async () => {
    expect((await ask(client, issuer.forge({ aud: ['account', AUDIENCE] }))).status).toBe(200);
  });
});

describe('with roles in the tokens', () => {
  let api: InProcessApi;
  let client: ApiClient;
  let named = 0;
  beforeAll(async () => {
    api = await startApi({ ROWGRAPH_OIDC_ROLES_CLAIM: 'realm_access.roles' });
    client = api.as(null);
  });
  afterAll(() => api.close());

  const tokenOf = (username: string, roles: unknown, claims: object = {}): string =>
    issuer.forge({ preferred_username: username, realm_access: { roles }, ...claims });
  const newName = (): string => `person-${++named}`;

  it('a token with the role ops creates an ops user, and the bootstrap is closed', async () => {
    const token = tokenOf('olivia', ['offline_access', 'admin', 'ops']);
    expect((await ask(client, token, '/api/ops/state')).status).toBe(200);
    expect(await recordOf(client, 'olivia', token)).toMatchObject({ role: 'ops', role_changed_at: null });
    for (const [roles, status] of [
      [[], 403],
      [['ops'], 409],
    ] as const) {
      const headers = bearer(tokenOf('eve', roles));
      expect(await client.refused('POST', '/api/users/bootstrap', { body: {}, headers })).toMatchObject({ status });
    }
  });

  it.each<[unknown, string]>([
    [['admin'], 'admin'],
    [['analyst', 'admin', 'uma_authorization'], 'admin'],
    ['offline_access admin', 'admin'],
    ['ops', 'ops'],
    [['Admin', 'administrator'], 'analyst'],
    [[], 'analyst'],
    [undefined, 'analyst'],
    [{ admin: true }, 'analyst'],
    [7, 'analyst'],
  ])('%j gives the user the role %s', async (roles, role) => {
    const username = newName();
    const token = tokenOf(username, roles);
    expect(await recordOf(client, username, token)).toMatchObject({ role });
    const { status } = await ask(client, token, '/api/users');
    expect(status).toBe(role === 'analyst' ? 403 : 200);
  });

  it('another role in a new token applies at once, and is shown in the list of users', async () => {
    const username = newName();
    const olivia = tokenOf('olivia', ['ops']);
    expect((await ask(client, tokenOf(username, ['analyst']), '/api/users')).status).toBe(403);
    expect((await ask(client, tokenOf(username, ['admin']), '/api/users')).status).toBe(200);
    const query = { search: username };
    const { data: promoted } = await client.call('listUsers', { query, headers: bearer(olivia) });
    expect(promoted).toMatchObject([{ username, role: 'admin', role_changed_by: 'system:oidc' }]);
    expect((await ask(client, tokenOf(username, []), '/api/users')).status).toBe(403);
    const { data: demoted } = await client.call('listUsers', { query, headers: bearer(olivia) });
    expect(demoted).toMatchObject([{ username, role: 'analyst', role_changed_by: 'system:oidc' }]);
  });

  it('a new user and another role apply at once while the read models lag', async () => {
    const username = newName();
    const list = async (role: string) => (await ask(client, tokenOf(username, [role]), '/api/users')).status;
    expect(await whileUsersLag(api, () => list('admin'))).toBe(200);
    const search = { query: { search: username }, headers: bearer(tokenOf('olivia', ['ops'])) };
    await waitFor('the read model has the user', async () => (await client.call('listUsers', search)).data.length > 0);
    expect(await whileUsersLag(api, () => list('analyst'))).toBe(403);
    expect((await streamOf(api, `user-${username}`)).map(({ type }) => type)).toEqual([
      'UserCreated',
      'UserRoleChanged',
    ]);
  });

  it('a token from before the last change applies to its request, and does not change the record', async () => {
    const username = newName();
    const now = Math.floor(Date.now() / 1000);
    const old = tokenOf(username, ['analyst'], { iat: now - 600 });
    expect((await ask(client, old, '/api/users')).status).toBe(403);
    expect((await ask(client, tokenOf(username, ['admin']), '/api/users')).status).toBe(200);
    expect((await ask(client, old, '/api/users')).status).toBe(403);
    expect(await recordOf(client, username, tokenOf('olivia', ['ops']))).toMatchObject({ role: 'admin' });
  });

  it('the last ops user keeps the role in the record, but not with a token that has another one', async () => {
    const lonely = await startApi({ ROWGRAPH_OIDC_ROLES_CLAIM: 'roles' });
    try {
      const alone = lonely.as(null);
      const token = (roles: readonly string[]) => issuer.forge({ preferred_username: 'olivia', roles });
      expect((await ask(alone, token(['ops']), '/api/ops/state')).status).toBe(200);
      expect((await ask(alone, token(['admin']), '/api/ops/state')).status).toBe(403);
      expect(await recordOf(alone, 'olivia', token(['admin']))).toMatchObject({ role: 'ops' });
      expect((await ask(alone, token(['ops']), '/api/ops/state')).status).toBe(200);
    } finally {
      await lonely.close();
    }
  });

  it('the record decides without a role in the token: with an API key', async () => {
    const token = tokenOf('olivia', ['ops']);
    const { data } = await client.call('createApiKey', { id: 'olivia', body: { name: 'k' }, headers: bearer(token) });
    expect((await ask(client, data.key, '/api/ops/state')).status).toBe(200);
  });
});

describe('while unknown users are not created', () => {
  it('they are rejected with that reason, and users created by an admin are accepted under the claim that names them', async () => {
    const api = await startApi({ ROWGRAPH_OIDC_PROVISION: 'off', ROWGRAPH_OIDC_USERNAME_CLAIM: 'email' });
    try {
      const client = api.as(null);
      const token = (email: string, more: object = {}) => issuer.forge({ email, preferred_username: 'x', ...more });
      const fresh = await refusal(client, token('ada@example.org'));
      expect(fresh).toMatchObject({ status: 401, details: { reason: 'user_not_provisioned' } });
      expect(fresh.message).toContain('rowgraph users bootstrap');
      await client.call('bootstrap', { body: {}, headers: bearer(token('olivia@example.org')) });
      expect(await refusal(client, token('ada@example.org'))).toMatchObject({
        status: 401,
        message: 'ada@example.org is not a user of this system; ask an admin.',
        details: { reason: 'user_not_provisioned' },
      });
      const headers = bearer(token('olivia@example.org'));
      await client.call('createUser', { body: { username: 'ada@example.org' }, headers });
      expect((await ask(client, token('ada@example.org'))).status).toBe(200);
      expect(await refusal(client, token('ada@example.org', { email_verified: false }))).toMatchObject({
        status: 401,
        details: { field: 'email_verified' },
      });
    } finally {
      await api.close();
    }
  });
});

describe('the keys of the identity provider', () => {
  const people = { ada: { preferred_username: 'ada' } };
  const realNow = Date.now.bind(Date);
  let offset = 0;
  /** Keys are requested again after ten seconds at the earliest. */
  const afterCooldown = (): void => {
    offset += 11_000;
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
  };
  afterEach(() => jest.restoreAllMocks());

  it('are 401 when a forged token names an unknown one, which counts as a failed login', async () => {
    const api = await startApi({ ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '20' });
    try {
      const client = api.as(null);
      const key = makeSigningKey('other');
      const statuses: number[] = [];
      for (let index = 0; index < 300; index += 1) {
        statuses.push((await ask(client, issuer.forge({}, { key: { ...key, kid: `forged-${index}` } }))).status);
      }
      expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
      expect(statuses.slice(20)).toEqual(Array(280).fill(429));
    } finally {
      await api.close();
    }
  });

  it('may change at any time; known ones stay valid while it is unavailable', async () => {
    const own = await createOidcIssuer(people);
    await own.start();
    const api = await startApi({ ROWGRAPH_OIDC_ISSUER: own.issuer });
    try {
      const client = api.as(null);
      const first = await own.token('ada');
      const [oldKey, second, third] = [own.key(), makeSigningKey('second'), makeSigningKey('third')];
      expect((await ask(client, first)).status).toBe(200);

      await own.start({ keys: [second, oldKey] });
      afterCooldown();
      expect((await ask(client, await own.token('ada'))).status).toBe(200);
      expect((await ask(client, first)).status).toBe(200);

      await own.start({ keys: [third] });
      afterCooldown();
      const newest = await own.token('ada');
      expect((await ask(client, newest)).status).toBe(200);
      expect(await refusal(client, first)).toMatchObject({ status: 401, details: { field: 'kid' } });

      await own.kill();
      expect((await ask(client, newest)).status).toBe(200);
      afterCooldown();
      const unknown = own.forge({}, { key: makeSigningKey('fourth') });
      const { status, headers, body } = await ask(client, unknown);
      expect({ status, body }).toMatchObject({
        status: 503,
        body: { error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(own.issuer) as unknown } },
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect((await ask(client, unknown, '/ready')).status).toBe(200);

      await own.start();
      afterCooldown();
      expect((await ask(client, unknown)).status).toBe(401);
    } finally {
      await api.close();
      await own.kill();
    }
  });

  it('may be unreachable at the start: tokens are answered 503, and API keys work', async () => {
    const own = await createOidcIssuer(people);
    await own.start();
    const token = await own.token('ada');
    await own.kill();
    const api = await startApi({ ROWGRAPH_OIDC_ISSUER: own.issuer });
    try {
      const client = api.as(null);
      expect((await client.send('GET', '/ready')).status).toBe(200);
      const { status, headers } = await ask(client, token);
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(await refusal(client, own.forge({ iss: 'http://other' }))).toMatchObject({ status: 401 });
      await own.start();
      afterCooldown();
      expect((await ask(client, token)).status).toBe(200);
    } finally {
      await api.close();
      await own.kill();
    }
  });

  it('may hang: known ones are used at once', async () => {
    const own = await createOidcIssuer(people);
    await own.start();
    const api = await startApi({ ROWGRAPH_OIDC_ISSUER: own.issuer });
    try {
      const client = api.as(null);
      const token = await own.token('ada');
      expect((await ask(client, token)).status).toBe(200);
      own.freeze();
      afterCooldown();
      const unknown = ask(client, own.forge({}, { key: makeSigningKey('other') }));
      expect((await ask(client, token)).status).toBe(200);
      expect((await unknown).status).toBe(503);
    } finally {
      own.thaw();
      await api.close();
      await own.kill();
    }
  });
});
