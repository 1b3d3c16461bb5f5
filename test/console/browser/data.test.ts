import { join } from 'node:path';
import { type Locator, type Page } from 'playwright-core';
import { runInDatabase } from '../../adapters/duckdb/warehouse-fixture';
import { startInhabitedApi } from '../../support/in-process-api';
import { findings, isTooWide, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';
import { hold } from './support';

const MARKUP = `<img src=x onerror="document.title='run'">`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

let opened: OpenConsole;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  const fill = (warehouse: string): Promise<void> =>
    runInDatabase(
      join(warehouse, 'town.duckdb'),
      `CREATE TABLE city AS SELECT i AS id, 'City ' || i AS name FROM range(10) t(i)`,
      `CREATE TABLE person AS SELECT i AS id, 'Person ' || i AS name, 20 + i % 50 AS age, i % 10 AS home_city_id FROM range(400) t(i)`,
      `CREATE TABLE ${quoted(MARKUP)} AS SELECT '${MARKUP.replaceAll("'", "''")}' AS ${quoted(`${MARKUP} column`)}, '\u202Eevil' AS b`,
    );
  opened = await openConsole(undefined, {}, (settings) => startInhabitedApi(fill, settings));
  ({ page, complaints } = await signedIn('ada'));
});
afterAll(() => opened.close());
afterEach(() => expect(complaints).toEqual([]));

const signedIn = async (username: string, address = '', width = 1280) => {
  const made = await opened.page({ width });
  await made.page.goto(`${opened.api.url}/${address}`);
  await made.page.getByRole('textbox', { name: 'Username' }).fill(username);
  await made.page.getByRole('button', { name: 'Sign in' }).click();
  await made.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return made;
};

const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const headed = (name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor();
const write = async (label: string, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: label }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
};

test('tables can be browsed down to columns and rows, and found by name', async () => {
  await page.getByRole('link', { name: 'Data' }).click();
  await button(/^person/).click();
  await page.getByRole('heading', { name: 'town.main.person' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'home_city_id' }).waitFor();
  const cells = page.getByRole('row', { name: 'Person 3' }).getByRole('cell');
  expect([await cells.nth(0).getAttribute('class'), await cells.nth(1).getAttribute('class')]).toEqual([
    'number',
    null,
  ]);
  expect(await findings(page)).toEqual([]);
  await shot(page, 'data');
  await page.getByRole('textbox', { name: 'Search tables and columns' }).fill('HOME');
  await page.getByText('No tables or columns found.').waitFor();
  await button(/home_city_id.*town\.main\.person/).waitFor();
  await page.getByRole('textbox', { name: 'Search tables and columns' }).fill('CIT');
  await button(/^city.*town\.main/).click();
  await page.getByRole('heading', { name: 'town.main.city' }).waitFor();
  expect(Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.replace(/.*\?/, '')))).toEqual({
    ...{ q: 'CIT', catalog: 'town', schema: 'main', table: 'city' },
  });
  await page.reload();
  await page.getByRole('heading', { name: 'town.main.city' }).waitFor();
});

test('names and values with markup are shown as text', async () => {
  await page.goto(`${opened.api.url}/#/data`);
  await button(/^<img/).click();
  await page.getByRole('cell', { name: MARKUP }).waitFor();
  expect(await findings(page)).toEqual([]);
  await button('Build a mapping').click();
  await page.getByRole('checkbox', { name: /^town\.main\."<img/ }).waitFor();
  expect([await page.title(), await isTooWide(page)]).toEqual(['New mapping · rowgraph', false]);
});

test('two tables become a mapping, and the editor marks an invalid query', async () => {
  await page.goto(`${opened.api.url}/#/data?catalog=town&schema=main&table=person`);
  await button('Build a mapping').click();
  await page.getByRole('checkbox', { name: 'town.main.city' }).check();
  await button('Add their nodes and edges').click();
  await page.getByRole('img', { name: /\(Person\) –\[HOME_CITY\]→ \(City\)/ }).waitFor();
  await page.locator('summary', { hasText: /^Person$/ }).click();
  await write('SQL of Person', 'SELECT id, name,\n  agee AS age\nFROM town.main.person');
  await page.getByText(/^Line 2, column 3: /).waitFor();
  expect(await page.locator('.cm-fault').innerText()).toBe('agee');
  expect(await findings(page)).toEqual([]);
  await shot(page, 'mapping-editor');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Town');
  await button('Create the mapping').click();
  await page.getByRole('alert').filter({ hasText: 'The query of Person is not valid. Line 2, column 3' }).waitFor();
});

test('an unsaved mapping is restored, and the editor completes names', async () => {
  await page.getByRole('link', { name: 'Graphs' }).click();
  await page.goto(`${opened.api.url}/#/mappings/new`);
  await page.getByText('Not saved yet').waitFor();
  await page.locator('summary', { hasText: /^Person$/ }).click();
  expect(await page.getByRole('textbox', { name: 'SQL of Person' }).innerText()).toContain('agee AS age');
  await write('SQL of Person', 'SELECT id, name, age FROM ');
  await page.keyboard.type('pers');
  await page.getByRole('option', { name: /person.*town\.main/ }).click();
  await page.keyboard.type(' p WHERE home');
  await page.getByRole('option', { name: /home_city_id.*person/ }).waitFor();
  for (const _ of ' WHERE home') await page.keyboard.press('Backspace');
  await page.keyboard.type(' WHERE p.');
  await page.getByRole('option', { name: 'age' }).click();
  await page.keyboard.type(' > 0');
  await page.getByText('Valid: id, name, age').waitFor();
  expect(await page.getByRole('textbox', { name: 'SQL of Person' }).innerText()).toContain(
    'FROM town.main.person p WHERE p.age > 0',
  );
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Town');
  await button('Create the mapping').click();
  await headed('Town');
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a new version can be compared with the previous one', async () => {
  await button('Edit').click();
  await page.locator('summary', { hasText: /^Person$/ }).click();
  await write('SQL of Person', 'SELECT id, name, age FROM town.main.person p WHERE p.age > 0 AND age < 99');
  await page.getByText('Valid: id, name, age').waitFor();
  await page.getByRole('checkbox', { name: 'name STRING' }).uncheck();
  await button('Save').click();
  await page.getByRole('alert').filter({ hasText: 'change_description' }).waitFor();
  await page.getByRole('textbox', { name: 'Change note' }).fill(`Only some ${MARKUP}`);
  await button('Save').click();
  await page
    .getByRole('listitem')
    .filter({ hasText: `Only some ${MARKUP}` })
    .waitFor();
  await button('Compare with 1').click();
  const diff = page.getByRole('region', { name: 'From version 1 to 2' });
  await diff.locator('ins', { hasText: 'AND age < 99' }).waitFor();
  await diff.locator('del', { hasText: 'name STRING' }).waitFor();
  expect([await findings(page), await page.title()]).toEqual([[], expect.stringMatching(/^Mapping \d+ · rowgraph$/)]);
  await shot(page, 'mapping');
});

test('a graph starts from the first version and appears in the tree of the mapping', async () => {
  await button('Show 1').click();
  const form = page.getByRole('region', { name: 'Start a graph of version 1' });
  await form.getByRole('textbox', { name: 'Name' }).fill('All of town');
  await form.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('textbox', { name: 'Cypher query' }).waitFor();
  await page.getByText('410 nodes, 400 edges').waitFor();
  await page.goto(`${opened.api.url}/#/mappings`);
  await page.getByRole('link', { name: 'Town' }).click();
  const tree = page.getByRole('region', { name: 'Snapshots and graphs' });
  await tree.getByText('Version 1').waitFor();
  await tree.getByRole('link', { name: 'All of town' }).waitFor();
  await tree.getByText('running').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a mapping has a lifetime, and cannot be deleted while it has a snapshot', async () => {
  await button('Settings').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Lifetime, days' }).fill('90');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Saved.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/1 snapshot/)
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('a mapping can be copied, sorted first as a favorite, and deleted while it is unused', async () => {
  await button('Copy').click();
  await page.getByRole('textbox', { name: 'Name of the copy' }).fill('A copy');
  expect(await findings(page)).toEqual([]);
  await button('Create the copy').click();
  await headed('A copy');
  await page.getByText('No snapshots or graphs yet').waitFor();
  await page.getByRole('link', { name: 'Mappings' }).click();
  const cards = page.getByRole('article').getByRole('heading');
  await cards.first().getByText('A copy').waitFor();
  await button('Favorite: Town').click();
  await cards.first().getByText('Town').waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'mappings');
  await page.getByRole('link', { name: 'A copy' }).click();
  await button('Settings').click();
  await button('Delete').click();
  const release = await hold(page.context(), '**/api/mappings?*');
  await button('Delete permanently').click();
  await headed('Mappings');
  expect(await page.getByRole('link', { name: 'A copy' }).count()).toBe(0);
  await release();
  await page.getByRole('link', { name: 'Town' }).waitFor();
  expect(await page.getByRole('link', { name: 'A copy' }).count()).toBe(0);
});

test('another analyst can copy a mapping and start a graph but not edit, and the pages fit at 360 px', async () => {
  const { page: narrow } = await signedIn('bob', '#/mappings', 360);
  await narrow.getByRole('link', { name: 'Town' }).click();
  await narrow.getByRole('button', { name: 'Copy' }).waitFor();
  await narrow.getByRole('button', { name: 'Start' }).waitFor();
  await narrow.getByRole('button', { name: 'Compare with 1' }).click();
  await narrow.getByRole('region', { name: 'From version 1 to 2' }).locator('ins').first().waitFor();
  for (const name of ['Edit', 'Settings']) expect(await narrow.getByRole('button', { name }).count()).toBe(0);
  expect([await findings(narrow), await isTooWide(narrow)]).toEqual([[], false]);
  await narrow.goto(`${opened.api.url}/${new URL(narrow.url()).hash.replace(/\?.*/, '/edit')}`);
  await narrow.getByText(/^Only ada, admins and ops may change this mapping/).waitFor();
  for (const address of [
    'data?catalog=town&schema=main&table=person',
    'mappings',
    'mappings/new?table=town.main.person',
  ]) {
    await narrow.goto(`${opened.api.url}/#/${address}`);
    await narrow
      .getByText(/town\.main\.person|Town/)
      .first()
      .waitFor();
    expect([address, await isTooWide(narrow)]).toEqual([address, false]);
  }
  await narrow.getByRole('button', { name: 'Add their nodes and edges' }).click();
  await narrow.locator('summary', { hasText: 'Person' }).click();
  await narrow.getByText('Valid: id, name, age, home_city_id').waitFor();
  expect([await findings(narrow), await isTooWide(narrow)]).toEqual([[], false]);
  await narrow.context().close();
});

test('the pages report an unknown mapping, an empty search result and a lost connection', async () => {
  await page.goto(`${opened.api.url}/#/mappings/4711`);
  await page.getByRole('alert').getByText(/4711/).waitFor();
  await page.goto(`${opened.api.url}/#/mappings?search=nothing-has-this-name`);
  await page.getByText('No mapping matches the filters.').waitFor();
  await page.goto(`${opened.api.url}/#/data`);
  // The reload discards what was read before.
  await page.reload();
  await button(/^city/).waitFor();
  await page.context().setOffline(true);
  await button(/^city/).click();
  await page.getByRole('alert').filter({ hasText: 'Failed to load' }).first().waitFor();
  expect(await findings(page)).toEqual([]);
  await page.context().setOffline(false);
  // The page reads again automatically.
  await page.getByRole('listitem').filter({ hasText: 'name' }).first().waitFor();
});
