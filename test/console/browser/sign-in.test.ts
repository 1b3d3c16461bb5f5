import { type Page } from 'playwright-core';
import { findings, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';

let opened: OpenConsole;
let page: Page;
let complaints: readonly string[];
let key: string;
const BOOTSTRAP_TOKEN = 'the bootstrap token of a test';
beforeAll(async () => {
  const settings = { ROWGRAPH_IDENTITY_MODE: 'api-key', ROWGRAPH_BOOTSTRAP_TOKEN: BOOTSTRAP_TOKEN };
  opened = await openConsole(undefined, settings);
});
afterAll(() => opened.close());

test('the first user gets an API key, which signs in and is not stored', async () => {
  ({ page, complaints } = await opened.page());
  const answer = await page.goto(opened.api.url);
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';");
  await page.getByRole('button', { name: /Use my tables/ }).click();
  await page.getByRole('alert').filter({ hasText: 'X-Bootstrap-Token' }).waitFor();
  await page.getByLabel('Bootstrap token').fill(BOOTSTRAP_TOKEN);
  await page.getByRole('button', { name: /Use my tables/ }).click();
  key = await page.locator('pre').innerText();
  expect(key).toMatch(/^rgk_/);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { name: 'Use my tables' }).waitFor();
  await page.getByText(/^No tables are visible yet/).waitFor();
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(stored).not.toContain('rgk_');
  await page.reload();
  await page.getByText('owner').waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.reload();
  await page.getByLabel('API key').fill('rgk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'Not signed in' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'sign-in');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('owner').waitFor();
  await page.getByRole('link', { name: 'Graphs' }).click();
  await page.getByRole('button', { name: /Try the sample/ }).click();
  await page.getByTestId('drawn').waitFor();
  expect(complaints).toEqual([]);
});

test('a session whose key was revoked continues after one sign-in with another key', async () => {
  const api = opened.api.as(null);
  const headersOf = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  const { data: known } = await api.call('listApiKeys', { id: 'owner', headers: headersOf(key) });
  const body = { name: 'other' };
  const { data: other } = await api.call('createApiKey', { id: 'owner', headers: headersOf(key), body });
  for (const { id } of known)
    await api.send('DELETE', `/api/users/owner/api-keys/${id}`, { headers: headersOf(other.key) });
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('API key').fill(other.key);
  const next = page.waitForResponse(/\/api\/instances\/\d+$/);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  expect((await next).status()).toBe(200);
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('scripts are compressed and cached, and the page has no inline script', async () => {
  const html = await (await fetch(opened.api.url)).text();
  expect(html).not.toMatch(/<script(?![^>]*src=)/);
  const [, script = ''] = /src="\.\/(console\/[^"]+\.js)"/.exec(html) ?? [];
  const { status, headers } = await fetch(`${opened.api.url}/${script}`, { headers: { 'Accept-Encoding': 'br' } });
  expect([status, headers.get('cache-control'), headers.get('content-encoding')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'br',
  ]);
});
