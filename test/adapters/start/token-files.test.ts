import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { signedTokens, signServiceToken, TOKEN_SECONDS } from '../../../adapters/http/internal/service-token';
import { openTokenFiles } from '../../../adapters/start/token-files';
import { ShutdownSteps } from '../../../adapters/system/shutdown-steps';
import { expectRight } from '../../support/given-when-then';
import { waitFor } from '../../support/wait-for';

const folder = mkdtempSync(join(tmpdir(), 'rowgraph-tokens-'));
const shutdownSteps = new ShutdownSteps();
afterAll(async () => {
  await shutdownSteps.closeAll(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

const SECRET = 'the secret of a test, of forty letters..';
const pod = (instanceId: number, life: number) => ({ kind: 'wrapper', instanceId, life }) as const;

test('tokens of programs are in files of this user, which are renewed; those of replaced pods are removed', async () => {
  let signed = 0;
  const options = { settings: { dataDirectory: folder }, shutdownSteps, log: pino({ level: 'silent' }) };
  const files = openTokenFiles(options, ({ kind }) => `${++signed} ${kind}`, 5);
  const [worker, first, other] = [
    files.fileFor({ kind: 'worker' }),
    files.fileFor(pod(7, 1)),
    files.fileFor(pod(8, 1)),
  ];
  expect(statSync(worker).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'tokens')).mode & 0o777).toBe(0o700);
  const second = files.fileFor(pod(7, 2));
  expect([worker, first, other, second].map((file) => existsSync(file))).toEqual([true, false, true, true]);
  const before = readFileSync(worker, 'utf8');
  await waitFor('the token is renewed', () => readFileSync(worker, 'utf8') !== before);
  expect(existsSync(first)).toBe(false);
});

test('a token of a worker or a local pod ends after a day', async () => {
  expect(TOKEN_SECONDS).toBe(24 * 3600);
  const identify = signedTokens(SECRET);
  for (const component of [{ kind: 'worker' } as const, pod(7, 1)]) {
    const token = signServiceToken(SECRET, component);
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly iat: number;
      readonly exp: number;
    };
    expect(exp - iat).toBe(TOKEN_SECONDS);
    expect(expectRight(await identify(token))).toEqual(component);
  }
});
