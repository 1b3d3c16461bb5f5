import { type Page } from 'playwright-core';
import { startInhabitedApi } from '../../support/in-process-api';
import { createInstance, createMapping, untilRunning, untilSettled } from '../../support/instances';
import { fillWarehouse, person, townMapping } from '../../support/sample-mappings';
import { findings, isTooWide, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';
import { ask, hold, shorten } from './support';

const MARKUP = `<img src=x onerror="document.title='run'">`;
/** An expression for a text of 2^`doublings` characters. */
const longText = (character: string, doublings: number): string =>
  `reduce(s = '${character}', x IN range(1, ${doublings}) | s + s)`;

let opened: OpenConsole;
let town: number;
let page: Page;
beforeAll(async () => {
  opened = await openConsole(undefined, {}, (settings) => startInhabitedApi(fillWarehouse, settings));
  await opened.api.as('olivia').call('createUser', { body: { username: 'anna', role: 'admin' } });
  const ada = opened.api.as('ada');
  town = await createInstance(ada, await createMapping(ada, townMapping), 'Town graph');
  await untilRunning(ada, town);
  page = await pageOf('ada');
});
afterAll(() => opened.close());

/** Opens a separate page in which the user is signed in. */
const pageOf = async (username: string, address = ''): Promise<Page> => {
  const { page: made } = await opened.page();
  await made.goto(`${opened.api.url}/${address}`);
  await made.getByRole('textbox', { name: 'Username' }).fill(username);
  await made.getByRole('button', { name: 'Sign in' }).click();
  return made;
};
const editorOf = (of: Page) => of.getByRole('textbox', { name: 'Cypher query' });

test.each([
  ['ada', true, false],
  ['bob', false, false],
  ['anna', true, true],
  ['olivia', true, true],
])('%s may change the graph of ada: %s, add the sample: %s', async (username, mayChange, mayAddSample) => {
  const theirs = await pageOf(username, `#/graphs/${town}`);
  await editorOf(theirs).waitFor();
  expect(await theirs.getByRole('button', { name: 'Settings' }).count()).toBe(mayChange ? 1 : 0);
  await theirs.getByRole('link', { name: 'New' }).click();
  await theirs.getByRole('button', { name: /Use my tables/ }).waitFor();
  expect(await theirs.getByRole('button', { name: /Try the sample/ }).count()).toBe(mayAddSample ? 1 : 0);
  await theirs.context().close();
});

test('a failed export shows its reason in the list and on the page of the graph, also after a reload', async () => {
  const ada = opened.api.as('ada');
  const sql = `SELECT CAST(name AS INTEGER) AS id, name, age FROM people`;
  const body = { name: `Broken ${MARKUP}`, node_definitions: [{ ...person, sql }] };
  const id = await createInstance(ada, await createMapping(ada, body), `Broken ${MARKUP}`);
  await untilSettled(ada, id);
  const card = page.getByRole('article').filter({ hasText: 'Broken <img' });
  await card.getByText('name 0').waitFor();
  expect(await findings(page)).toEqual([]);
  await card.getByRole('link').click();
  await page.getByRole('alert').filter({ hasText: 'The start failed' }).getByText('name 0').waitFor();
  await page.getByRole('region', { name: 'Start' }).waitFor();
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'The start failed' }).waitFor();
  expect([await findings(page), await page.title()]).toEqual([[], `Graph ${id} · rowgraph`]);
  await shot(page, 'failed');
});

test('rows that cannot be loaded fail the start with the error message of the instance', async () => {
  const ada = opened.api.as('ada');
  const twice = { ...person, sql: 'SELECT id % 50 AS id, name, age FROM people' };
  const id = await createInstance(ada, await createMapping(ada, { name: 'Twice', node_definitions: [twice] }), 'Twice');
  const { error_message } = await untilSettled(ada, id);
  await page.goto(`${opened.api.url}/#/graphs/${id}`);
  await page.getByText(error_message ?? '?').waitFor();
  await ada.call('deleteInstance', { id });
  await page.getByRole('alert').filter({ hasText: 'Deleted' }).waitFor();
  // What the page saw last, which may be that the graph is stopping.
  await page.getByRole('heading', { name: 'Twice' }).waitFor();
});

test('a mapping beyond the first ones starts as a graph in FalkorDB with a lifetime, and its query result is drawn', async () => {
  await shorten(page, '**/api/mappings?*');
  await page.goto(`${opened.api.url}/#/start`);
  await page.getByRole('combobox', { name: 'Mapping' }).fill('town');
  await page.getByRole('option', { name: 'Town · version 1' }).click();
  await page.unroute('**/api/mappings?*');
  await page.getByRole('textbox', { name: 'Name' }).fill('Town in FalkorDB');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'FalkorDB' }).click();
  await page.getByRole('textbox', { name: 'Lifetime, hours' }).fill('5');
  expect(await findings(page)).toEqual([]);
  await shot(page, 'new');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await editorOf(page).waitFor();
  await page.getByText('4 h 59 min remaining').waitFor();
  await ask(page, 'MATCH (a:Person)-[r:KNOWS]->(b) RETURN a, r, b LIMIT 20');
  await page.getByTestId('drawn').getByText('20 edges').waitFor();
  await editorOf(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('CALL db.rela');
  await page.getByRole('option', { name: 'db.relationshiptypes' }).waitFor();
});

test('labels and captions with markup are drawn and listed as text', async () => {
  await page.goto(`${opened.api.url}/#/graphs/${town}`);
  const markup = MARKUP.replaceAll("'", "\\'");
  await ask(
    page,
    `RETURN {_id: 'X:1', _label: '${markup}\u202Eevil', name: '\u202E${markup}', size: 'javascript:document.title=1'} AS n,
     {_id: 'X:' + ${longText('y', 20)}, _label: ${longText('z', 20)}, name: ${longText('\u{1F600}', 17)}} AS long`,
  );
  await page.getByRole('group', { name: 'Labels' }).getByText('<img src=x onerror=').waitFor();
  await page.getByRole('combobox', { name: 'Find a node' }).fill('X:y');
  await page.getByRole('option', { name: '(X:' }).click();
  await page.getByRole('complementary', { name: 'Selected' }).getByText('zzz').waitFor();
  await page.getByRole('combobox', { name: 'Find a node' }).fill('X:1');
  await page.getByRole('option', { name: '<img src=x onerror="document.title=' }).click();
  await page.getByRole('complementary', { name: 'Selected' }).getByText('javascript:document.title=1').waitFor();
  expect([await findings(page), await page.title(), await isTooWide(page)]).toEqual([
    [],
    `Graph ${town} · rowgraph`,
    false,
  ]);
  await shot(page, 'hostile');
});

test('values with markup are shown as text, and long values do not block the page', async () => {
  await page.goto(`${opened.api.url}/#/graphs/${town}`);
  await ask(
    page,
    `RETURN '${MARKUP.replaceAll("'", "\\'")}' AS a, 'javascript:document.title=1' AS b, '\u202Eevil' AS c, ${longText('x', 20)} AS d`,
  );
  await page.getByRole('cell', { name: MARKUP }).waitFor();
  expect(await page.getByRole('link', { name: /javascript/ }).count()).toBe(0);
  await page.getByText('JSON', { exact: true }).click();
  await page.locator('.json', { hasText: 'javascript:document.title=1' }).waitFor();
  expect([await page.title(), await isTooWide(page)]).toEqual([`Graph ${town} · rowgraph`, false]);
  await page.getByText('Table', { exact: true }).click();
  await ask(page, `RETURN ${Array.from({ length: 101 }, (_, column) => `${column} AS c${column}`).join(', ')}`);
  await page.getByText('The first 100 of 101 columns').waitFor();
});

test('each view shows its loading, error, recovered and empty state as text', async () => {
  const context = page.context();
  for (const [address, path] of [
    ['', '**/api/instances?*'],
    ['#/start', '**/api/mappings?*'],
    ['#/tables', '**/api/schema/catalogs?*'],
    [`#/graphs/${town}`, '**/api/instances/*'],
    [`#/graphs/${town}/algorithms`, '**/algo/algorithms'],
  ] as const) {
    const release = await hold(context, path);
    await page.goto(`${opened.api.url}/${address}`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await release();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  }
  await page.goto(`${opened.api.url}/#/?search=nothing-has-this-name`);
  await page.getByText('No graph matches the filters.').waitFor();
  for (const address of ['#/graphs/999999', '#/graphs/999999/algorithms']) {
    await page.goto(`${opened.api.url}/${address}`);
    await page.getByRole('alert').filter({ hasText: 'Failed to load' }).waitFor();
    expect(await findings(page)).toEqual([]);
  }
  for (const address of [
    'nowhere',
    'graphs/abc',
    'graphs/1e3/algorithms',
    'mappings/x',
    'mappings/-1/edit',
    'graphs/%E0%A4',
  ]) {
    await page.goto(`${opened.api.url}/#/${address}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByText(`/${address}`, { exact: true }).waitFor();
  }
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: 'all mappings' }).click();
  await page.getByRole('heading', { name: 'Mappings' }).waitFor();
  await page.goto(`${opened.api.url}/#/`);
  await page.getByRole('link', { name: 'Town graph' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('alert').filter({ hasText: 'Failed to refresh' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await context.setOffline(false);
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('a graph of chosen tables cannot start before the columns of all of them are read', async () => {
  await page.goto(`${opened.api.url}/#/tables`);
  await page.getByRole('checkbox', { name: 'town.main.people' }).check();
  const start = page.getByRole('button', { name: 'Start the graph' });
  await start.and(page.locator(':enabled')).waitFor();
  const release = await hold(page.context(), '**/columns?*');
  await page.getByRole('checkbox', { name: 'town.main.crowd' }).check();
  await start.and(page.locator(':disabled')).waitFor();
  await release();
  await start.and(page.locator(':enabled')).waitFor();
});

test('a refetch keeps unsaved input of a form', async () => {
  await page.goto(`${opened.api.url}/#/graphs/${town}`);
  await page.getByRole('button', { name: 'Settings' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half a na');
  for (let time = 0; time < 2; time++) await page.waitForResponse(/\/api\/instances\/\d+$/);
  expect(await name.inputValue()).toBe('Half a na');
  await page.getByRole('button', { name: 'Close' }).click();
});

test('a query runs again after a lost connection, and the unsaved text is kept', async () => {
  const context = page.context();
  await page.goto(`${opened.api.url}/#/graphs/${town}`);
  await editorOf(page).waitFor();
  await context.setOffline(true);
  await ask(page, 'MATCH (p:Person) RETURN count(p) AS people');
  await page.getByRole('alert').filter({ hasText: 'The query failed' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('cell', { name: '100' }).waitFor();
  await page.getByRole('link', { name: 'Algorithms' }).click();
  await page.getByText('Choose an algorithm.').waitFor();
  await page.goBack();
  await page.getByRole('cell', { name: '100' }).waitFor();
});

test('an expired session opens a sign-in dialog over the page, and no text is lost', async () => {
  const olivia = opened.api.as('olivia');
  await page.getByText('Parameters').click();
  await page.getByRole('textbox', { name: 'Parameters as JSON' }).fill('{"id": 7}');
  await olivia.call('deactivateUser', { id: 'ada' });
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByRole('textbox', { name: 'Username' }).fill('ada');
  expect(await findings(page)).toEqual([]);
  await shot(page, 'session-ended');
  await olivia.call('updateUser', { id: 'ada', body: { is_active: true } });
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Parameters as JSON' }).inputValue()).toBe('{"id": 7}');
  expect(await editorOf(page).innerText()).toContain('count(p) AS people');
});

test('Ctrl-K finds graphs and mappings by their names, also from the editor', async () => {
  for (const list of ['instances', 'mappings']) await shorten(page, `**/api/${list}?*`);
  await editorOf(page).click();
  await page.keyboard.press('Control+K');
  const field = page.getByRole('combobox', { name: 'Page, graph or mapping' });
  await field.fill('Broken');
  await page.getByRole('option', { name: /^Broken.* \(\d+\)$/ }).waitFor();
  await field.fill('Town');
  await page.getByRole('option', { name: /^Town \(mapping \d+\)$/ }).waitFor();
  await field.fill('FalkorDB');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('option', { name: /Town in FalkorDB/ }).click();
  await page.getByRole('heading', { name: 'Town in FalkorDB' }).waitFor();
});
