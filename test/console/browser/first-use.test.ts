import { readFile } from 'node:fs/promises';
import { type Page } from 'playwright-core';
import { processesOf } from '../../support/system-processes';
import { waitFor } from '../../support/wait-for';
import { whileFrozen } from '../../support/while-frozen';
import { findings, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';
import { ask as askOn, countActions, reject, write } from './support';

let opened: OpenConsole;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  opened = await openConsole();
  ({ page, complaints } = await opened.page());
});
afterAll(() => opened.close());
afterEach(() => expect(complaints).toEqual([]));

const button = (name: string | RegExp) => page.getByRole('button', { name });
const ask = (query: string): Promise<void> => askOn(page, query);

const exportWorkers = async (): Promise<readonly number[]> => {
  const folder = opened.api.environment['ROWGRAPH_DATA_DIR'] ?? '';
  const found = () => processesOf(folder).filter(({ part }) => part === 'export worker');
  await waitFor('the export worker runs', () => found().length > 0);
  return found().map(({ pid }) => pid);
};

test('one click on an empty system starts and draws the sample', async () => {
  await page.goto(opened.api.url);
  const actions = await countActions(page);
  await page.getByRole('heading', { name: 'See your tables as a graph' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'welcome');
  // A start may end before the page has asked for it once.
  await whileFrozen(await exportWorkers(), async () => {
    await button(/Try the sample/).click();
    await page.getByRole('region', { name: 'Start' }).waitFor();
    await shot(page, 'starting');
  });
  await page.getByTestId('drawn').waitFor();
  expect(await actions()).toBe(1);
  expect(await page.getByTestId('drawn').innerText()).toMatch(/^[1-9]\d* nodes, [1-9]\d* edges$/);
  expect(await findings(page)).toEqual([]);
  await shot(page, 'query');
});

test('a running query is cancelled, and the next one succeeds', async () => {
  const sent = page.waitForRequest(/\/query$/);
  await ask('MATCH (a:Account)-[:TRANSFER*1..6]->(b) RETURN count(*)');
  await page
    .getByRole('timer')
    .filter({ hasText: /^ for \d+ s$/ })
    .waitFor();
  await page.getByRole('status').getByText('running', { exact: true }).waitFor();
  await button('Cancel').click();
  await page.getByText('cancelled').waitFor();
  expect((await sent).postDataJSON()).toMatchObject({ timeout_ms: 1_800_000 });
  await ask('RETURN 9007199254740993 AS big');
  await page.getByRole('cell', { name: '9007199254740993' }).waitFor();
});

test('values with markup are shown as text, and a failed query shows its reason', async () => {
  await ask(`RETURN '<img src=x onerror="document.title=1"><script>document.title=2</script>' AS html`);
  await page.getByRole('cell', { name: '<img src=x onerror="document.title=1">' }).waitFor();
  expect(await page.title()).toBe('Graph 1 · rowgraph');
  await ask('MATCH (n:Nothing) RETURN <b>n');
  await page.getByRole('alert').filter({ hasText: 'The query failed' }).waitFor();
  expect(await page.locator('.cm-fault').innerText()).toBe('<');
  expect(await findings(page)).toEqual([]);
});

test('a query in the address is shown but runs only on a click, and the history survives a reload', async () => {
  await page.goto(`${page.url().replace(/\?.*/, '')}?query=${encodeURIComponent('RETURN 7')}`);
  await page.getByRole('textbox', { name: 'Cypher query' }).getByText('RETURN 7').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' AS seven');
  await page.reload();
  await page.getByText('seven').waitFor();
  expect(page.url()).not.toContain('query=');
  expect(await page.getByRole('region', { name: 'Results' }).count()).toBe(0);
  await button('Queries').click();
  await button('RETURN 9007199254740993 AS big').waitFor();
  await page.keyboard.press('Escape');
  await button('Run').click();
  await page.getByRole('cell', { name: '7' }).waitFor();
});

test('a query is saved under a name, and its rows are exported', async () => {
  await write(page, 'MATCH (d:Device) RETURN d.device_id ORDER BY d.device_id LIMIT 3');
  await button('Queries').click();
  await page.getByRole('textbox', { name: 'Name of the query' }).fill('Devices');
  await button('Save').click();
  await page.getByRole('button', { name: 'Devices', exact: true }).waitFor();
  await reject(page, '**/queries/Devices', 'DELETE');
  await button('Delete Devices').click();
  await page.getByRole('alert').filter({ hasText: 'Not deleted' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const elsewhere = (await opened.page()).page;
  await elsewhere.goto(page.url());
  await elsewhere.getByRole('textbox', { name: 'Username' }).fill('owner');
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.getByRole('button', { name: 'Queries' }).click();
  await elsewhere.getByRole('button', { name: 'Devices', exact: true }).click();
  await elsewhere.getByText('MATCH (d:Device)').waitFor();
  await elsewhere.close();
  for (const [format, start] of [
    ['CSV', 'd.device_id\n'],
    ['Parquet', 'PAR1'],
  ] as const) {
    await button(/^Export$/).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const file = await (await saved).path();
    expect((await readFile(file, 'latin1')).slice(0, start.length)).toBe(start);
  }
});

test('six clicks turn two tables of the user into a drawn graph', async () => {
  const actions = await countActions(page);
  await page.getByRole('link', { name: 'New' }).click();
  await page.getByRole('button', { name: /Use my tables/ }).click();
  for (const table of ['customer', 'account', 'account_owner']) {
    await page.getByRole('checkbox', { name: `bank.main.${table}`, exact: true }).check();
  }
  await page.getByText('(Customer) –[ACCOUNT_OWNER]→ (Account)').waitFor();
  await page.getByRole('region', { name: 'Rows of customer' }).getByRole('row').nth(3).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'tables');
  await button('Start the graph').click();
  await page.getByTestId('drawn').waitFor();
  expect(await actions()).toBe(6);
});

test('the list updates live and is filtered by the address, and a graph can be renamed and deleted', async () => {
  await button('Settings').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Owners');
  await button('Rename').click();
  await page.getByRole('heading', { name: 'Owners' }).waitFor();
  await button('Close').click();
  await page.getByRole('link', { name: 'Graphs' }).click();
  await reject(page, '**/api/favorites', 'POST');
  await page.getByRole('button', { name: 'Favorite: Owners' }).click();
  await page.getByRole('alert').filter({ hasText: 'Failed to update favorites' }).getByText('Not now.').waitFor();
  await page.unroute('**/api/favorites');
  await page.getByRole('button', { name: 'Favorite: Owners' }).click();
  await page.getByRole('button', { name: 'Favorite: Owners', pressed: true }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await findings(page)).toEqual([]);
  await shot(page, 'graphs');
  await page.getByRole('textbox', { name: 'Search' }).fill('owners');
  await page.getByRole('link', { name: 'Money flows' }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('search=owners');
  await page.getByRole('link', { name: 'Graphs' }).click();
  await page.getByRole('link', { name: 'Money flows' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('');
  await page.getByRole('link', { name: 'Owners' }).click();
  await button('Settings').click();
  await button('Delete').click();
  await button('Delete permanently').click();
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Owners' }).waitFor({ state: 'detached' });
});

test('two clicks draw the sample on FalkorDB', async () => {
  await page.goto(`${opened.api.url}/#/start`);
  await page.reload();
  await page.getByRole('button', { name: /Try the sample/ }).waitFor();
  const actions = await countActions(page);
  await page.getByRole('radiogroup', { name: 'Kind of the sample' }).getByText('FalkorDB').click();
  expect(await findings(page)).toEqual([]);
  await button(/Try the sample/).click();
  await page.getByTestId('drawn').waitFor();
  expect([await actions(), await page.getByTestId('drawn').innerText()]).toEqual([
    2,
    expect.stringMatching(/^1\d\d nodes, 1\d\d edges$/),
  ]);
});
