import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { issuerKeys } from '../../../adapters/oidc/issuer-keys';
import { expectRight } from '../../support/given-when-then';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'ES256' };
const header = (kid: string) => ({ alg: 'ES256', kid });

let server: Server;
let issuer: string;
/** The answers of the issuer, and the number of requests for its keys. */
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
  jest.restoreAllMocks();
  offset = 0;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const log = { warn: jest.fn(), info: jest.fn() };
const SECOND = 1000;
/** Advances the time that determines the age of keys. */
const realNow = Date.now.bind(Date);
let offset = 0;
const pass = (milliseconds: number): void => {
  offset += milliseconds;
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
};

test('300 tokens with unknown keys are all unknown, and cause one request to the issuer', async () => {
  const find = issuerKeys(issuer, log);
  for (let index = 0; index < 300; index += 1) {
    expect(await find(header(`bogus-${index}`))).toMatchObject({ left: { kind: 'unknown_key' } });
  }
  expectRight(await find(header('known')));
  expect(asked).toBe(1);
});

test('a key is imported once for all tokens', async () => {
  const find = issuerKeys(issuer, log);
  const first = expectRight(await find(header('known')));
  expect(expectRight(await find(header('known')))).toBe(first);
});

test('a new key is fetched for the first token that needs it, ten seconds after the last request', async () => {
  const find = issuerKeys(issuer, log);
  expectRight(await find(header('known')));
  answers.keys = { keys: [jwk, { ...jwk, kid: 'new' }] };
  expect(await find(header('new'))).toMatchObject({ left: { kind: 'unknown_key' } });
  pass(11 * SECOND);
  expectRight(await find(header('new')));
  expect(asked).toBe(2);
});

test('a withdrawn key is unknown after ten minutes', async () => {
  const find = issuerKeys(issuer, log);
  expectRight(await find(header('known')));
  answers.keys = { keys: [{ ...jwk, kid: 'new' }] };
  pass(599 * SECOND);
  expectRight(await find(header('known')));
  pass(2 * SECOND);
  expect(await find(header('known'))).toMatchObject({ left: { kind: 'unknown_key' } });
});

test('concurrent tokens cause one request', async () => {
  const find = issuerKeys(issuer, log);
  const found = await Promise.all(Array.from({ length: 50 }, () => find(header('known'))));
  found.forEach(expectRight);
  expect(asked).toBe(1);
});

test('the last keys stay valid, and others are temporarily unavailable, while the issuer does not return keys', async () => {
  const find = issuerKeys(issuer, log);
  expectRight(await find(header('known')));
  answers.keys = { keys: 'none' };
  pass(3600 * SECOND);
  expectRight(await find(header('known')));
  const bogus = { kind: 'issuer_unreachable', retryAfterSeconds: 5 };
  expect(await find(header('bogus'))).toMatchObject({ left: bogus });
  expect(asked).toBe(2);
  pass(6 * SECOND);
  answers.keys = { keys: [jwk] };
  expect(await find(header('bogus'))).toMatchObject({ left: { kind: 'unknown_key' } });
  expect(log.info).toHaveBeenCalledTimes(1);
});

test.each([
  [
    'names another issuer',
    () => (answers.described = { issuer: 'http://other', jwks_uri: `${issuer}/keys` }),
    /ROWGRAPH_OIDC_ISSUER/,
  ],
  ['is not an OpenID provider', () => (answers.described = { hello: 'world' }), /not the configuration of an OpenID/],
])('an issuer that %s is reported', async (_what, change, reason) => {
  change();
  expect(await issuerKeys(issuer, log)(header('known'))).toMatchObject({
    left: { kind: 'issuer_unreachable', reason: expect.stringMatching(reason) as unknown },
  });
});
