import { type ApiClient, apiClient } from '../support/api-client';
import { commandLine } from '../support/command-line';
import { createInstance, createMapping, untilRunning } from '../support/instances';
import { AUDIENCE, createOidcIssuer, type OidcIssuer } from '../support/oidc-issuer';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';

jest.setTimeout(2 * TIMEOUT_MS);

const PEOPLE = {
  olivia: { preferred_username: 'olivia' },
  ada: { preferred_username: 'ada' },
  bob: { preferred_username: 'bob' },
};

let issuer: OidcIssuer;
let system: RunningSystem;
beforeAll(async () => {
  issuer = await createOidcIssuer(PEOPLE);
  await issuer.start();
  const settings = {
    ROWGRAPH_IDENTITY_MODE: 'oidc',
    ROWGRAPH_OIDC_ISSUER: issuer.issuer,
    ROWGRAPH_OIDC_AUDIENCE: AUDIENCE,
  };
  system = await startRunningSystem(fillWarehouse, settings, () => Promise.resolve());
});
afterAll(async () => {
  await system.close();
  await issuer.kill();
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const withToken = (token: string): ApiClient => {
  const client = apiClient(system.url, null);
  const headers = bearer(token);
  return {
    send: (method, path, options) => client.send(method, path, { ...options, headers }),
    call: (name, input) => client.call(name, { ...input, headers }),
    refused: (method, path, options) => client.refused(method, path, { ...options, headers }),
  };
};

it('the command line works with a token, starting with the first user', async () => {
  const run = commandLine(system.folder);
  const token = await issuer.token('olivia');
  const first = ['users', 'bootstrap', 'olivia', '--url', system.url];
  expect((await run(first)).errors).toContain('Send a token of the identity provider');
  const made = await run(first, { environment: { ROWGRAPH_TOKEN: token } });
  expect(made.out).toBe('Created the first user olivia (ops).\n');
  const login = await run(['login', '--url', system.url, '--token', '-'], { input: `${token}\n` });
  expect(login.out).toBe(`Logged in to ${system.url} as olivia.\n`);
  expect((await run(['users', 'list', '--tsv'])).out).toContain('\tops\t');
  const expired = issuer.forge({ preferred_username: 'olivia', exp: 1_000_000_000 });
  const refused = await run(['users', 'list'], { environment: { ROWGRAPH_TOKEN: expired } });
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.errors).toContain('The token expired at 2001-09-09T01:46:40.000Z (exp); get a new one.');
  const both = await run(['login', '--key', 'a', '--token', 'b', '--url', system.url]);
  expect(both).toMatchObject({ code: 2 });
  await run(['logout']);
});

it('instances accept tokens like API keys, from users with access', async () => {
  const [ada, bob] = [withToken(await issuer.token('ada')), withToken(await issuer.token('bob'))];
  const id = await createInstance(ada, await createMapping(ada, townMapping));
  const { instance_url: url } = await untilRunning(ada, id);
  const query = { body: { query: 'RETURN 1 AS one' } };
  const anonymous = apiClient(system.url, null);
  expect(await anonymous.refused('POST', `${url}/query`, query)).toMatchObject({ status: 401 });
  expect((await ada.send('POST', `${url}/query`, query)).status).toBe(200);
  expect((await bob.send('POST', `${url}/query`, query)).status).toBe(200);
  const expired = bearer(issuer.forge({ exp: 1_000_000_000 }));
  const refused = await anonymous.send('POST', `${url}/query`, { ...query, headers: expired });
  expect(refused).toMatchObject({ status: 401, body: { error: { details: { field: 'exp' } } } });
  expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');

  const run = { body: { node_label: 'Person', property_name: 'rank' } };
  expect((await bob.send('POST', `${url}/algo/pagerank`, run)).status).toBe(403);
  expect((await ada.send('POST', `${url}/algo/pagerank`, run)).status).toBe(202);

  const { data: issued } = await ada.call('issueAccessToken', { id, body: { expires_in: 'PT1H' } });
  const withAccessToken = { ...query, headers: bearer(issued.token) };
  expect((await anonymous.send('POST', `${url}/query`, withAccessToken)).status).toBe(200);

  await ada.call('updateInstanceAccess', { id, body: { mode: 'owner' } });
  expect((await ada.send('POST', `${url}/query`, query)).status).toBe(200);
  expect(await bob.refused('POST', `${url}/query`, query)).toMatchObject({ status: 404 });
});
