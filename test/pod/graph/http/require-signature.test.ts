import { type AddressInfo } from 'node:net';
import express from 'express';
import {
  requestKeyOf,
  signatureOf as signatureOfRequest,
  type SignedRequest,
} from '../../../../adapters/contracts/graph-pod/request-signature';
import { requestIdMiddleware } from '../../../../adapters/http/kit';
import { type FetchRequestKey, requireSignature } from '../../../../pod/graph/http/authorize-caller';
import { waitFor } from '../../../support/wait-for';

const SECRET = 'the secret of the control planes';
const NOW = Date.UTC(2026, 10, 24, 12, 0, 30);
const POD = { instanceId: 7, life: 2 };
const key = requestKeyOf(SECRET, POD);

/** The signature of the request that the tests send, with these differences. */
const signatureOf = (requestKey: string, nowMs: number, differences: Partial<SignedRequest> = {}): string =>
  signatureOfRequest(requestKey, { method: 'GET', path: '/query?limit=1', username: null, ...differences }, nowMs);

const serve = async (fetchKey: FetchRequestKey | null, nowMs = () => NOW) => {
  const app = express().use(requestIdMiddleware, requireSignature(fetchKey, nowMs));
  app.use((_request, response) => response.json({ data: 'of the instance' }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shutdownSteps.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (path: string, signature?: string, username?: string): Promise<Response> =>
    fetch(url + path, {
      headers: {
        ...(signature === undefined ? {} : { 'X-Rowgraph-Signature': signature }),
        ...(username === undefined ? {} : { 'X-Username': username }),
      },
    });
};
const shutdownSteps: (() => void)[] = [];
afterAll(() => shutdownSteps.forEach((close) => close()));

test.each([
  ['this minute', 0, 200],
  ['the minute before', -60_000, 200],
  ['the next minute', 60_000, 200],
  ['two minutes ago', -120_000, 401],
  ['two minutes later', 120_000, 401],
])('a request signed in %s is answered accordingly', async (_when, shiftMs, status) => {
  const ask = await serve(() => Promise.resolve(key));
  expect((await ask('/query?limit=1', signatureOf(key, NOW + shiftMs))).status).toBe(status);
});

test.each([
  ['no signature', undefined],
  ['an empty one', ''],
  ['one of another length', 'ab'],
  ['one for another instance', signatureOf(requestKeyOf(SECRET, { ...POD, instanceId: 72 }), NOW)],
  ['one for another life', signatureOf(requestKeyOf(SECRET, { ...POD, life: 1 }), NOW)],
  ['one of another system', signatureOf(requestKeyOf('another secret', POD), NOW)],
  ['the key itself', key],
  ['one for another method', signatureOf(key, NOW, { method: 'POST' })],
  ['one for another path', signatureOf(key, NOW, { path: '/schema' })],
  ['one for another query string', signatureOf(key, NOW, { path: '/query?limit=2' })],
  ['one for a user', signatureOf(key, NOW, { username: 'ada' })],
])('a request with %s is rejected, and gets no data', async (_what, signature) => {
  const ask = await serve(() => Promise.resolve(key));
  const answer = await ask('/query?limit=1', signature);
  expect([answer.status, answer.headers.get('x-rowgraph-signature')]).toEqual([401, 'refused']);
  expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
});

test('a request is answered for the user it was signed for', async () => {
  const ask = await serve(() => Promise.resolve(key));
  const signature = signatureOf(key, NOW, { username: 'ada' });
  const statusFor = async (username: string) => (await ask('/query?limit=1', signature, username)).status;
  expect([await statusFor('ada'), await statusFor('bob')]).toEqual([200, 401]);
});

test('probes need no signature, even while the key is unknown', async () => {
  const ask = await serve(() => new Promise<string>(() => undefined));
  expect(await Promise.all(['/health', '/ready'].map(async (path) => (await ask(path)).status))).toEqual([200, 200]);
});

test('a request waits for the key', async () => {
  let found: (key: string) => void = () => undefined;
  const ask = await serve(() => new Promise<string>((resolve) => (found = resolve)));
  const answers = [ask('/query?limit=1', signatureOf(key, NOW)), ask('/query?limit=1')];
  found(key);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401]);
});

test('the key is fetched again when a signature does not match, but not immediately again', async () => {
  const newer = requestKeyOf('the secret after a change', POD);
  const keys = [key, newer, newer];
  let [fetched, now] = [0, NOW];
  const fetchKey = () => Promise.resolve(keys[fetched++] ?? null);
  const ask = await serve(fetchKey, () => now);
  const statusWith = async (signature: string): Promise<number> => (await ask('/query?limit=1', signature)).status;
  expect([await statusWith(signatureOf(newer, now)), fetched]).toEqual([401, 1]);
  now += 11_000;
  expect([await statusWith(signatureOf(newer, now)), fetched]).toEqual([200, 2]);
  expect([await statusWith(signatureOf(key, now)), fetched]).toEqual([401, 2]);
});

test('requests that arrive while the key is fetched again wait for it', async () => {
  const newer = requestKeyOf('the secret after a change', POD);
  let [fetched, now] = [0, NOW];
  let found: (key: string) => void = () => undefined;
  const renewed = new Promise<string>((resolve) => (found = resolve));
  const ask = await serve(
    () => (fetched++ === 0 ? Promise.resolve(key) : renewed),
    () => now,
  );
  expect((await ask('/query?limit=1', signatureOf(key, now))).status).toBe(200);
  now += 11_000;
  const answers = [ask('/query?limit=1', signatureOf(newer, now)), ask('/query?limit=1', signatureOf(newer, now))];
  await waitFor('the key is fetched again', () => fetched > 1);
  found(newer);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
});

test('every request is rejected while the key cannot be fetched', async () => {
  const ask = await serve(() => Promise.resolve(null));
  expect((await ask('/query?limit=1', signatureOf('null', NOW))).status).toBe(401);
});

test('where no signature is required, every request is answered', async () => {
  const ask = await serve(null);
  expect((await ask('/query?limit=1')).status).toBe(200);
});
