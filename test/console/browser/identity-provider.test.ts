import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { freePort } from '../../support/free-port';
import { findings, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';

let provider: ChildProcess;
let opened: OpenConsole;
beforeAll(async () => {
  const [port, loginPort] = [await freePort(), await freePort()];
  provider = fork(join(__dirname, '../../support/programs/oidc-login.cjs'), {
    env: {
      ...process.env,
      LOGIN_PORT: String(loginPort),
      LOGIN_CLIENT: 'console',
      LOGIN_RETURN: `http://127.0.0.1:${port}/`,
    },
    // The provider prints advice for production.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(provider, 'message');
  opened = await openConsole(undefined, {
    ROWGRAPH_PORT: String(port),
    ROWGRAPH_IDENTITY_MODE: 'oidc',
    ROWGRAPH_OIDC_ISSUER: `http://127.0.0.1:${loginPort}`,
    ROWGRAPH_OIDC_AUDIENCE: 'console',
    ROWGRAPH_OIDC_CLIENT_ID: 'console',
    ROWGRAPH_OIDC_SCOPE: 'openid',
  });
});
afterAll(async () => {
  await opened.close();
  provider.kill();
});

const signInAtProvider = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: /^Sign in at/ }).click();
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
};

test('users sign in at the provider and return to the page that they opened', async () => {
  const { page, complaints } = await opened.page();
  await page.goto(opened.api.url);
  await page.getByRole('heading', { name: 'See your tables as a graph' }).waitFor();
  await page.getByRole('button', { name: /^Sign in at/ }).waitFor();
  expect(await findings(page)).toEqual([]);
  await signInAtProvider(page, 'grace');
  await page.getByRole('button', { name: /Use my tables/ }).click();
  await page.getByRole('heading', { name: 'Use my tables' }).waitFor();
  await page.getByText('ops', { exact: true }).waitFor();
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('eyJ');

  const other = (await opened.page()).page;
  await other.goto(`${opened.api.url}/#/start`);
  await other.getByRole('button', { name: /^Sign in at/ }).waitFor();
  await shot(other, 'sign-in-provider');
  await signInAtProvider(other, 'ada');
  await other.getByRole('heading', { name: 'Start a graph' }).waitFor();
  expect(new URL(other.url()).search).toBe('');
  // This user is an analyst; only admins can try the sample.
  expect(await other.getByRole('button', { name: /Try the sample/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
