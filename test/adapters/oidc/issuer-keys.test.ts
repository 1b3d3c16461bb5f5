import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createIssuerKeys } from '../../../adapters/oidc/issuer-keys';
import { expectRight } from '../../support/given-when-then';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'ES256' };
const header = (kid: string) => ({ alg: 'ES256', kid });

let server: Server;
let issuer: string;
/** What it answers with, and how often it was asked for keys. */
let answers: { described: object; keys: object };
let asked: number;
beforeEach(async () => {
  asked = 0;
  server = createServer((request, response) => {
    if (request.url === '/keys') asked += 1;
    const body = request.url === '/keys' ? answers.keys : answers.described;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers = { described: { issuer, jwks_uri: `${issuer}/keys` }, keys: { keys: [jwk] } };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('unknown keys are looked for five times at once, and then once in ten seconds', async () => {
  let now = 0;
  const keys = createIssuerKeys(issuer, () => now);
  for (let index = 0; index < 5; index += 1) {
    expect(await keys.find(header(`bogus-${index}`))).toMatchObject({ left: { kind: 'unknown_key' } });
  }
  expect(asked).toBe(5);
  now = 2_000;
  expect(await keys.find(header('bogus'))).toMatchObject({ left: { kind: 'issuer_away', retryAfterSeconds: 8 } });
  expectRight(await keys.find(header('known')));
  expect(asked).toBe(5);
  now = 10_000;
  answers.keys = { keys: [jwk, { ...jwk, kid: 'new' }] };
  expectRight(await keys.find(header('new')));
  expect(await keys.find(header('bogus'))).toMatchObject({ left: { kind: 'issuer_away', retryAfterSeconds: 10 } });
  expect(asked).toBe(6);
});

test('many who need a key at the same moment ask once', async () => {
  const keys = createIssuerKeys(issuer);
  const found = await Promise.all(Array.from({ length: 50 }, () => keys.find(header('known'))));
  found.forEach(expectRight);
  expect(asked).toBe(1);
});

test.each([
  [
    'names another issuer',
    () => (answers.described = { issuer: 'http://other', jwks_uri: `${issuer}/keys` }),
    /ROWGRAPH_OIDC_ISSUER/,
  ],
  ['is no OpenID provider', () => (answers.described = { hello: 'world' }), /as an OpenID provider does/],
  ['has no keys any more', () => (answers.keys = { keys: [] }), /has no key/],
  ['names keys that are none', () => (answers.keys = { keys: ['key'] }), /as an OpenID provider does/],
])('an issuer that %s is told of, and what is known goes on', async (_what, change, words) => {
  const keys = createIssuerKeys(issuer);
  expectRight(await keys.refresh());
  change();
  expect(await keys.refresh()).toMatchObject({ left: expect.stringMatching(words) as unknown });
  expectRight(await keys.find(header('known')));
});
