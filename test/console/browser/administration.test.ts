import { type Page } from 'playwright-core';
import { READ_PATH } from '../../../projections/registry';
import { expectRight } from '../../support/given-when-then';
import { startInhabitedApi } from '../../support/in-process-api';
import { createInstance, createMapping, untilRunning } from '../../support/instances';
import { withLogOf } from '../../support/log-of';
import { parkEvents } from '../../support/park-events';
import { fillWarehouse, townMapping } from '../../support/sample-mappings';
import { findings, isTooWide, shot } from './findings';
import { type OpenConsole, openConsole, type PageOptions } from './open-console';
import { reject } from './support';

const MARKUP = `<img src=x onerror="document.title='run'">`;
const TABS = ['health', 'jobs', 'parked', 'export-jobs', 'audit', 'users', 'config', 'bulk'];

let opened: OpenConsole;
let town: number;
let page: Page;
beforeAll(async () => {
  opened = await openConsole(undefined, {}, (settings) => startInhabitedApi(fillWarehouse, settings));
  const olivia = opened.api.as('olivia');
  await olivia.call('createUser', { body: { username: 'anna', role: 'admin' } });
  await olivia.call('createUser', { body: { username: 'carl' } });
  await parkFavorites('carl', ['Parked'], 0);
  const ada = opened.api.as('ada');
  town = await createInstance(ada, await createMapping(ada, townMapping), 'Town graph');
  await untilRunning(ada, town);
  page = await pageOf('olivia');
});
afterAll(() => opened.close());

/** Opens a separate page in which the user is signed in. */
const pageOf = async (username: string, options: PageOptions = {}): Promise<Page> => {
  const { page: made } = await opened.page(options);
  await made.goto(opened.api.url);
  await made.getByRole('textbox', { name: 'Username' }).fill(username);
  await made.getByRole('button', { name: 'Sign in' }).click();
  await made.getByRole('navigation', { name: 'Pages' }).waitFor();
  return made;
};
const visit = (of: Page, tab: string) => of.goto(`${opened.api.url}/#/administration?tab=${tab}`);
const status = (of: Page, text: string | RegExp) => of.getByRole('status').filter({ hasText: text }).waitFor();
const row = (of: Page, text: string | RegExp) => of.getByRole('row').filter({ hasText: text });

/** Parks favorites of a user; those after the first `applied` ones can be applied when they are retried. */
const parkFavorites = async (username: string, names: readonly string[], applied: number): Promise<void> => {
  const client = opened.api.as(username);
  for (const name of names) {
    const resource_id = await createMapping(client, { ...townMapping, name });
    await client.call('addFavorite', { body: { resource_type: 'mapping', resource_id } });
  }
  await withLogOf(opened.api, async (store, pool) => {
    const events = expectRight(await store.readStream(`favorites-${username}`)).slice(-names.length);
    await parkEvents(pool, 'favorites', events, `a bug ${MARKUP}`);
    await pool.query(
      `SET search_path TO ${READ_PATH.join(', ')}; DELETE FROM favorites WHERE username = '${username}'
       AND resource_id NOT IN (SELECT min(resource_id) FROM favorites WHERE username = '${username}' LIMIT ${applied})`,
    );
  });
};

test.each([
  ['light', 1280],
  ['dark', 360],
] as const)('every panel is accessible and fits, in %s mode at %i pixels', async (colorScheme, width) => {
  const theirs = await pageOf('olivia', { width, colorScheme });
  for (const tab of TABS) {
    await visit(theirs, tab);
    await theirs.locator(`a[aria-current=page][href$="tab=${tab}"]`).waitFor();
    await theirs.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await theirs.getByRole('region').first().waitFor();
    expect({ tab, findings: await findings(theirs), isTooWide: await isTooWide(theirs) }).toEqual({
      ...{ tab, findings: [], isTooWide: false },
    });
    await shot(theirs, `administration-${tab}-${width}`);
  }
  await theirs.context().close();
});

test('the health panel lists the components, their state and their counts', async () => {
  await page.getByRole('link', { name: 'Administration' }).click();
  await status(page, 'The system is healthy. Failed instances: 0.');
  await row(page, /^databasehealthy/).waitFor();
  await page.getByText('1 of 50; limit per analyst: 5.').waitFor();
  await row(page, /^ada1$/).waitFor();
});

test('triggering a job requires a reason and lists the run', async () => {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  const trigger = page.getByRole('button', { name: 'Trigger lifecycle' });
  await trigger.waitFor();
  await row(page, /^verification.*in (1 h|\d+ min)/).waitFor();
  expect(await trigger.isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Reason' }).fill('room for the demo');
  await trigger.click();
  await status(page, 'Job lifecycle: queued.');
  await row(page, /^lifecycle.*triggered by olivia/).waitFor();
  await trigger.click();
  await page.getByRole('alert').filter({ hasText: 'Try again in' }).waitFor();
});

test('the configuration form keeps unsaved input across refetches and marks invalid values', async () => {
  await page.getByRole('link', { name: 'Configuration' }).click();
  const limits = page.getByRole('region', { name: 'Concurrent instances' });
  await limits.getByRole('textbox', { name: 'per analyst' }).fill('7');
  await page.waitForResponse(/config\/concurrency/);
  await page.waitForResponse(/config\/concurrency/);
  expect(await limits.getByRole('textbox', { name: 'per analyst' }).inputValue()).toBe('7');
  await limits.getByRole('button', { name: 'Save' }).click();
  await limits.getByText('Saved.').waitFor();
  const spans = page.getByRole('region', { name: 'Lifetime of a new instance' });
  await spans.getByRole('textbox', { name: 'default ttl' }).fill('forever');
  await spans.getByRole('button', { name: 'Save' }).click();
  await spans.getByRole('alert').filter({ hasText: 'default_ttl' }).waitFor();
  await spans.getByRole('textbox', { name: 'default ttl' }).fill('PT12H');
  await spans.getByRole('button', { name: 'Save' }).click();
  await spans.getByText('Saved.').waitFor();
  const maintenance = page.getByRole('region', { name: 'Maintenance' });
  await maintenance.getByRole('checkbox', { name: 'enabled' }).check();
  await maintenance.getByRole('textbox', { name: 'message' }).fill('Back at 18:00.');
  await maintenance.getByRole('button', { name: 'Save' }).click();
  await maintenance.getByText(/On, set \d+ s ago by olivia/).waitFor();
  const olivia = opened.api.as('olivia');
  expect((await olivia.call('getConcurrencyConfig')).data).toMatchObject({ per_analyst: 7, cluster_total: 50 });
  const { data: lifecycle } = await olivia.call('getLifecycleConfig');
  expect(lifecycle.instance).toEqual({ default_ttl: 'PT12H', default_inactivity: 'PT4H', max_ttl: 'P7D' });
  expect((await olivia.call('getMaintenanceConfig')).data).toMatchObject({ enabled: true, message: 'Back at 18:00.' });
  await maintenance.getByRole('checkbox', { name: 'enabled' }).uncheck();
  await maintenance.getByRole('button', { name: 'Save' }).click();
  await maintenance.getByText(/^Off\./).waitFor();
});

test('a user gets a role, and API keys that are shown once', async () => {
  await page.getByRole('link', { name: 'Users' }).click();
  const form = page.getByRole('form', { name: 'New user' });
  await form.getByRole('textbox', { name: 'Username' }).fill('zoe');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(MARKUP);
  await form.getByRole('button', { name: 'Create' }).click();
  await status(page, 'Created user zoe (analyst).');
  await row(page, MARKUP).waitFor();
  await page.getByRole('combobox', { name: 'Role of zoe' }).click();
  await page.getByRole('option', { name: 'admin' }).click();
  await status(page, 'zoe has the role admin.');
  await page.getByRole('button', { name: 'Keys of zoe' }).click();
  const keys = page.getByRole('region', { name: 'API keys of zoe' });
  await keys.getByRole('textbox', { name: 'Name of the key' }).fill('laptop');
  await keys.getByRole('textbox', { name: 'Lifetime, days' }).fill('30');
  await keys.getByRole('button', { name: 'Create a key' }).click();
  await keys.getByText(/: rgk/).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'administration-keys');
  await keys.getByRole('button', { name: 'Revoke laptop' }).click();
  await keys.getByRole('button', { name: 'Revoke permanently laptop' }).click();
  await keys.getByText('No API keys.').waitFor();
  await keys.getByRole('button', { name: 'Close API keys' }).click();
  expect(await page.getByText(/rgk/).count()).toBe(0);
  await page.getByRole('button', { name: 'Deactivate zoe' }).click();
  await page.getByRole('button', { name: 'Activate zoe', exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Search users' }).fill('nothing has this name');
  await page.getByText('No users found.').waitFor();
  const { data } = await opened.api.as('olivia').call('getUser', { id: 'zoe' });
  expect([data, await page.title()]).toMatchObject([{ role: 'admin', is_active: false }, 'Administration · rowgraph']);
});

test('export jobs are filtered by state, and the address contains the filter', async () => {
  await page.getByRole('link', { name: 'Export jobs' }).click();
  await row(page, /node Personcompleted1/).waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'failed' }).click();
  await page.getByText('No export jobs in this state.').waitFor();
  expect(page.url()).toContain('status=failed');
});

test('the audit trail is filtered in the address, and a row opens the data and causes of its event', async () => {
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('textbox', { name: 'Resource id' }).fill(String(town));
  await page.getByRole('combobox', { name: 'Kind of resource' }).click();
  await page.getByRole('option', { name: 'instance' }).click();
  await row(page, /InstanceRunninginstance/).waitFor();
  expect(decodeURIComponent(page.url())).toContain(`tab=audit&resource_id="${town}"&resource_type=instance`);
  await row(page, /InstanceRunninginstance/)
    .getByText('Data and causes of InstanceRunning')
    .click();
  const causes = page.getByRole('region', { name: 'Causes of InstanceRunning' });
  for (const type of ['Request', 'InstanceRequested', 'ProcessInputReceived', 'InstanceStarting', 'InstanceRunning'])
    await causes.getByRole('listitem').filter({ hasText: type }).first().waitFor();
  await page.getByText('"nodeCount": 100').waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'audit');
  await page.getByRole('textbox', { name: 'Resource id' }).fill('carl');
  await page.getByRole('combobox', { name: 'Kind of resource' }).click();
  await page.getByRole('option', { name: 'user', exact: true }).click();
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'ops' }).click();
  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('combobox', { name: 'Event' }).fill('Created');
  await page.getByRole('option', { name: 'UserCreated' }).click();
  await page.getByLabel('To', { exact: true }).fill('2026-01-01T00:00');
  await page.getByText('No events.').waitFor();
  await page.getByLabel('To', { exact: true }).fill('');
  await row(page, /UserCreateduser carl/)
    .getByText('Data and causes of UserCreated')
    .click();
  await page
    .getByRole('region', { name: 'Causes of UserCreated' })
    .getByText(/^Request \S+$/)
    .waitFor();
});

test('a graph and a mapping have a tab with their history', async () => {
  const adas = await pageOf('ada');
  await adas.goto(`${opened.api.url}/#/graphs/${town}`);
  await adas.getByRole('navigation', { name: 'Graph' }).getByRole('link', { name: 'History' }).click();
  await row(adas, /InstanceRequestedada/).waitFor();
  await row(adas, /InstanceRunning/)
    .getByText('Data and causes of InstanceRunning')
    .click();
  await adas.getByRole('region', { name: 'Causes of InstanceRunning' }).getByText('InstanceStarting').waitFor();
  expect([await findings(adas), await adas.title()]).toEqual([[], `History of graph ${town} · rowgraph`]);
  const { data } = await opened.api.as('ada').call('getInstance', { id: town });
  await adas.goto(`${opened.api.url}/#/mappings/${data.mapping_id}`);
  await adas.getByRole('navigation', { name: 'Mapping' }).getByRole('link', { name: 'History' }).click();
  await row(adas, /MappingSnapshotPlanned/).waitFor();
  await row(adas, /MappingCreatedada/)
    .getByText('Data and causes of MappingCreated')
    .click();
  await adas.getByText(`"name": "${townMapping.name}"`).waitFor();
  expect(await findings(adas)).toEqual([]);
  await shot(adas, 'mapping-history');
  await adas.context().close();
});

test('parked events can be retried, or skipped with a reason', async () => {
  await parkFavorites('ada', ['Applied already', 'Behind'], 1);
  await parkFavorites('bob', ['Repaired'], 0);
  await page.getByRole('link', { name: 'Parked events' }).click();
  await row(page, `a bug ${MARKUP}`).first().waitFor();
  expect(await page.getByRole('button', { name: /^Retry favorites-ada/ }).count()).toBe(1);
  await page.getByRole('textbox', { name: 'Reason' }).fill('the handler is repaired');
  await page.getByRole('button', { name: 'Retry favorites-bob for favorites' }).click();
  await status(page, 'Applied: 1; still parked: 0.');
  await page.getByRole('button', { name: 'Retry favorites-ada for favorites' }).click();
  await status(page, /Applied: 0; still parked: 2\..*duplicate key/);
  await page.getByRole('button', { name: 'Skip favorites-ada for favorites' }).click();
  await page.getByRole('button', { name: 'Skip permanently favorites-ada for favorites' }).click();
  await status(page, 'Applied: 1; still parked: 0.');
  await row(page, 'favorites-ada').first().waitFor({ state: 'detached' });
  expect((await opened.api.as('bob').call('listFavorites')).data).toHaveLength(1);
});

test('bulk deletion previews the matches and deletes only the number that was confirmed', async () => {
  const bob = opened.api.as('bob');
  for (const name of ['Left over', `Left ${MARKUP}`]) await createMapping(bob, { ...townMapping, name });
  await page.getByRole('link', { name: 'Delete in bulk' }).click();
  await page.getByRole('combobox', { name: 'Resource' }).click();
  await page.getByRole('option', { name: 'mapping' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('bob has left');
  await page.getByRole('button', { name: 'Find matches' }).click();
  await page.getByRole('alert').filter({ hasText: 'At least one filter is needed' }).waitFor();
  await page.getByRole('textbox', { name: 'Name prefix' }).fill('Left');
  await page.getByRole('button', { name: 'Find matches' }).click();
  const matches = page.getByRole('region', { name: 'Matches: 2' });
  await row(page, `Left ${MARKUP}`).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'administration-matches');
  const remove = matches.getByRole('button', { name: 'Delete 2' });
  expect(await remove.isDisabled()).toBe(true);
  await matches.getByRole('textbox', { name: /number of matches/ }).fill('2');
  // A client's reads wait for its own writes; the page does not know of them.
  const listed = async (): Promise<number> =>
    (await bob.call('listMappings', { query: { search: 'Left' } })).data.length;
  const late = await createMapping(bob, { ...townMapping, name: 'Left late' });
  expect(await listed()).toBe(3);
  await remove.click();
  await matches.getByRole('alert').filter({ hasText: 'The filters match 3 resources, expected 2' }).waitFor();
  await bob.call('deleteMapping', { id: late });
  expect(await listed()).toBe(2);
  await remove.click();
  await status(page, 'Deleted 2 of 2.');
  expect(await listed()).toBe(0);
  await page.getByRole('textbox', { name: 'Owner' }).fill('ada');
  await matches.waitFor({ state: 'detached' });
});

test('a panel that the role does not allow shows the required role', async () => {
  const annas = await pageOf('anna');
  await annas.getByRole('link', { name: 'Administration' }).click();
  const tabs = annas.getByRole('navigation', { name: 'Administration' }).getByRole('link');
  await annas.getByRole('region', { name: 'Export jobs' }).waitFor();
  expect(await tabs.allInnerTexts()).toEqual(['Export jobs', 'Audit', 'Users', 'Delete in bulk']);
  await tabs.filter({ hasText: 'Users' }).click();
  expect(await annas.getByRole('combobox', { name: 'Role of olivia' }).isDisabled()).toBe(true);
  await visit(annas, 'config');
  await annas.getByText('This page needs the role ops; yours is admin. Ops can change it.').waitFor();
  await annas.context().close();
  const adas = await pageOf('ada');
  expect(await adas.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  for (const tab of TABS) {
    await visit(adas, tab);
    await adas
      .getByText(
        /This page needs the role (admin; yours is analyst\. Admins and ops|ops; yours is analyst\. Ops) can change it\./,
      )
      .waitFor();
  }
  expect(await findings(adas)).toEqual([]);
  await adas.context().close();
});

test('a graph shows its CPU use over time and its resizes, also after a reload', async () => {
  await page.getByRole('link', { name: 'Graphs' }).click();
  const card = page.getByRole('article').filter({ hasText: 'Town graph' });
  await card.getByText(/^\d+(\.\d+)? of 2 cores$/).waitFor();
  await card.getByRole('link').click();
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('textbox', { name: 'CPU cores' }).fill('3');
  const memory = dialog.getByRole('textbox', { name: 'Memory, GB' });
  const before = await memory.inputValue();
  await memory.fill('32');
  await reject(page, '**/memory', 'PUT');
  await dialog.getByRole('button', { name: 'Resize' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Not changed' }).waitFor();
  expect((await opened.api.as('ada').call('getInstance', { id: town })).data.cpu_cores).toBe(2);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  await memory.fill(before);
  await dialog.getByRole('button', { name: 'Resize' }).click();
  await status(page, 'Resized.');
  await page.reload();
  await page.getByText('Memory and CPU', { exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'From 2 to 3 cores' }).waitFor();
  await page.getByRole('img', { name: 'Cores over time' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await shot(page, 'usage');
  await page.getByRole('link', { name: 'Graphs' }).click();
  await card.getByText(/of 3 cores$/).waitFor();
});
