import { type AddressInfo } from 'node:net';
import express from 'express';
import { requestKeyOf, signatureOf } from '../../../../adapters/contracts/graph-pod/request-signature';
import { requestIdMiddleware } from '../../../../adapters/http/kit';
import { type FetchRequestKey, requireSignature } from '../../../../pod/graph/http/authorize-caller';
import { waitFor } from '../../../support/wait-for';

const SECRET = 'the secret of the control planes';
const NOW = Date.UTC(2026, 10, 24, 12, 0, 30);
const POD = { instanceId: 7, life: 2 };
const key = requestKeyOf(SECRET, POD);

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
  return (path: string, signature?: string): Promise<Response> =>
    fetch(url + path, signature === undefined ? {} : { headers: { 'X-Rowgraph-Signature': signature } });
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
  expect((await ask('/query', signatureOf(key, NOW + shiftMs))).status).toBe(status);
});

test.each([
  ['no signature', undefined],
  ['an empty one', ''],
  ['one of another length', 'ab'],
  ['one for another instance', signatureOf(requestKeyOf(SECRET, { ...POD, instanceId: 72 }), NOW)],
  ['one for another life', signatureOf(requestKeyOf(SECRET, { ...POD, life: 1 }), NOW)],
  ['one of another system', signatureOf(requestKeyOf('another secret', POD), NOW)],
  ['the key itself', key],
])('a request with %s is rejected, and gets no data', async (_what, signature) => {
  const ask = await serve(() => Promise.resolve(key));
  const answer = await ask('/schema', signature);
  expect([answer.status, answer.headers.get('x-rowgraph-signature')]).toEqual([401, 'refused']);
  expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
});

test('probes need no signature, even while the key is unknown', async () => {
  const ask = await serve(() => new Promise<string>(() => undefined));
  expect(await Promise.all(['/health', '/ready'].map(async (path) => (await ask(path)).status))).toEqual([200, 200]);
});

test('a request waits for the key', async () => {
  let found: (key: string) => void = () => undefined;
  const ask = await serve(() => new Promise<string>((resolve) => (found = resolve)));
  const answers = [ask('/status', signatureOf(key, NOW)), ask('/status')];
  found(key);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401]);
});

test('the key is fetched again when a signature does not match, but not immediately again', async () => {
  const newer = requestKeyOf('the secret after a change', POD);
  const keys = [key, newer, newer];
  let [fetched, now] = [0, NOW];
  const fetchKey = () => Promise.resolve(keys[fetched++] ?? null);
  const ask = await serve(fetchKey, () => now);
  const statusWith = async (signature: string): Promise<number> => (await ask('/query', signature)).status;
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
  expect((await ask('/query', signatureOf(key, now))).status).toBe(200);
  now += 11_000;
  const answers = [ask('/query', signatureOf(newer, now)), ask('/query', signatureOf(newer, now))];
  await waitFor('the key is fetched again', () => fetched > 1);
  found(newer);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
});

test('every request is rejected while the key cannot be fetched', async () => {
  const ask = await serve(() => Promise.resolve(null));
  expect((await ask('/query', signatureOf('null', NOW))).status).toBe(401);
});

test('where no signature is required, every request is answered', async () => {
  const ask = await serve(null);
  expect((await ask('/query')).status).toBe(200);
});
