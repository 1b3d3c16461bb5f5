import { type Page } from 'playwright-core';
import { findings, isTooWide, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';
import { ask, drawn, settled } from './support';

/** With `SCREENSHOTS`: both widths in both color schemes, for review. */
const VARIANTS: readonly { readonly colorScheme: 'light' | 'dark'; readonly width: number }[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
  ...(process.env['SCREENSHOTS'] === undefined
    ? []
    : [{ colorScheme: 'dark', width: 1280 } as const, { colorScheme: 'light', width: 360 } as const]),
];

/** Views with a picture in `docs/console`. */
const PICTURES = new Set([
  'welcome',
  'graphs',
  'tables',
  'query',
  'explore',
  'rows',
  'algorithms',
  'data',
  'mapping',
  'administration',
]);

let opened: OpenConsole;
let pages: readonly Page[];
let rings: string;
beforeAll(async () => {
  opened = await openConsole();
  const open = async (variant: object): Promise<Page> => {
    const { page } = await opened.page(variant);
    await page.goto(opened.api.url);
    await page.getByRole('button', { name: /Try the sample/ }).waitFor();
    return page;
  };
  pages = await Promise.all(VARIANTS.map(open));
  const first = await open({});
  await first.getByRole('button', { name: /Try the sample/ }).click();
  await drawn(first, /nodes/);
  await first.context().close();
  rings = (await opened.api.as('owner').call('addSample')).data.query;
});
afterAll(() => opened.close());

/**
 * Views in the order of the visit: a name, an address (null: the page stays open), and the steps that open the view.
 */
const views: readonly (readonly [name: string, address: string | null, bring: (page: Page) => Promise<unknown>])[] = [
  ['graphs', '', (page) => page.getByRole('link', { name: 'Money flows' }).waitFor()],
  ['palette', null, (page) => page.keyboard.press('Control+K')],
  [
    'new',
    'start',
    async (page) => {
      // Closes the list of pages, then the palette.
      for (let level = 0; level < 2; level++) await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('combobox', { name: 'Mapping' }).waitFor();
    },
  ],
  [
    'tables',
    'tables',
    async (page) => {
      for (const table of ['customer', 'account', 'account_owner'])
        await page.getByRole('checkbox', { name: `bank.main.${table}`, exact: true }).check();
      await page.getByRole('region', { name: 'Rows of customer' }).getByRole('row').nth(3).waitFor();
    },
  ],
  [
    'query',
    'graphs/1',
    async (page) => {
      await ask(page, rings);
      await drawn(page, /nodes/);
      await settled(page);
    },
  ],
  [
    'explore',
    null,
    async (page) => {
      await page.getByRole('combobox', { name: 'Find a node' }).fill('Account:');
      await page
        .getByRole('option', { name: /\(Account:/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Expand' }).click();
      await page.getByRole('list', { name: 'Neighbours by type' }).waitFor();
    },
  ],
  ['style', null, (page) => page.getByRole('button', { name: 'Style' }).click()],
  [
    'rows',
    null,
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByText('Table', { exact: true }).click();
      await page.getByRole('region', { name: 'Rows' }).waitFor();
    },
  ],
  ['queries', null, (page) => page.getByRole('button', { name: 'Queries' }).click()],
  [
    'settings',
    null,
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    },
  ],
  [
    'algorithms',
    'graphs/1/algorithms',
    async (page) => {
      await page.getByRole('button', { name: 'pagerank' }).first().click();
      await page.getByRole('combobox', { name: 'node_label' }).click();
      await page.getByRole('option', { name: 'Account' }).click();
      await page.getByRole('textbox', { name: /property/ }).fill('rank');
      await page.getByRole('button', { name: 'Run pagerank' }).click();
      await page.getByRole('img', { name: /^Histogram of the values/ }).waitFor();
    },
  ],
  [
    'data',
    'data?catalog=bank&schema=main&table=account',
    async (page) => {
      await page.getByRole('heading', { name: 'bank.main.account' }).waitFor();
      await page.getByRole('row').nth(3).waitFor();
    },
  ],
  ['mappings', 'mappings', (page) => page.getByRole('link', { name: 'Money flows' }).waitFor()],
  ['versions', 'mappings/1', (page) => page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor()],
  [
    'mapping',
    'mappings/1/edit',
    (page) => page.getByRole('img', { name: /\(Customer\) –\[OWNS\]→ \(Account\)/ }).waitFor(),
  ],
  ['administration', 'administration?tab=jobs', (page) => page.getByRole('table').waitFor()],
];

test.each(VARIANTS)(
  'every view fits and is accessible in $colorScheme at $width pixels',
  async (variant) => {
    const { colorScheme, width } = variant;
    const folder = variant === VARIANTS[0] ? process.env['PICTURES'] : undefined;
    const page = pages[VARIANTS.indexOf(variant)];
    if (page === undefined) throw new Error('No page was opened.');
    const seen = async (name: string): Promise<void> => {
      expect([name, await isTooWide(page), await findings(page)]).toEqual([name, false, []]);
      await shot(page, `${name}-${width}-${colorScheme}`);
      if (folder !== undefined && PICTURES.has(name)) await shot(page, name, folder);
    };
    await seen('welcome');
    await page.reload();
    await page.getByRole('textbox', { name: 'Username' }).fill('owner');
    await seen('sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const [name, address, bring] of views) {
      if (address !== null) await page.goto(`${opened.api.url}/#/${address}`);
      await bring(page);
      await seen(name);
    }
  },
  900_000,
);
