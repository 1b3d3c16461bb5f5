import { type Page } from 'playwright-core';
import { waitFor } from '../../support/wait-for';
import { findings, shot } from './findings';
import { type OpenConsole, openConsole } from './open-console';
import { ask, drawn, drawnFrames, fillTown, settled, startTown, write } from './support';

let opened: OpenConsole;
beforeAll(async () => (opened = await openConsole(fillTown)));
afterAll(() => opened.close());

const ALL = 'MATCH (p:Person)-[r:HOME_CITY]->(c:City) RETURN p, r, c ORDER BY p.id';

describe.each(['DuckDB', 'FalkorDB'] as const)('a graph on %s', (kind) => {
  let page: Page;
  let complaints: readonly string[];
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const choose = async (text: string): Promise<void> => {
    const find = page.getByRole('combobox', { name: 'Find a node' });
    await find.fill(text);
    await page.getByRole('option', { name: `(${text})` }).click();
    await page.getByRole('complementary', { name: 'Selected' }).getByText(text, { exact: true }).waitFor();
  };
  afterEach(() => expect(complaints).toEqual([]));

  test('draws 300 nodes of its tables at first', async () => {
    ({ page, complaints } = await opened.page());
    await page.goto(opened.api.url);
    if (kind === 'FalkorDB') {
      await page.getByRole('textbox', { name: 'Username' }).fill('owner');
      await button('Sign in').click();
      await page.getByRole('link', { name: 'New' }).click();
    }
    await startTown(page, kind);
    await ask(page, ALL);
    await drawn(page, '300 of 410 nodes');
    await settled(page);
    await shot(page, `explore-${kind}`);
    expect(await findings(page)).toEqual([]);
  });

  test('stops redrawing once the layout has settled, and draws more than 5,000 nodes only after a confirmation', async () => {
    await waitFor('the drawing is not redrawn', async () => (await drawnFrames(page)) === 0);
    await ask(page, 'MATCH (s:Stop) RETURN s');
    await drawn(page, '300 of 20,000 nodes');
    await button('Draw 5,000').click();
    await drawn(page, '5,000 of 20,000 nodes');
    await button('Draw all 20,000 (may be slow)').waitFor();
    await ask(page, ALL);
    await drawn(page, '300 of 410 nodes');
  });

  test('continues its layout while its rows are shown', async () => {
    await ask(page, 'MATCH (s:Stop)-[r]->(t) RETURN s, r, t');
    await drawn(page, /^300 of/);
    await button('Draw 5,000').click();
    await drawn(page, /^5,000 of/);
    await button('Rows').click();
    await page.getByRole('region', { name: 'Rows' }).waitFor();
    await button('Drawing').click();
    await settled(page);
    await ask(page, ALL);
    await drawn(page, '300 of 410 nodes');
  });

  test('expands a node by one relationship type, whose count is shown first', async () => {
    await choose('City:3');
    await button('Expand').click();
    const step = page.getByRole('button', { name: '←HOME_CITY– Person' });
    expect(await step.innerText()).toMatch(/40/);
    await shot(page, `expand-${kind}`);
    await step.click();
    await drawn(page, /^31\d of 410 nodes/);
    await button('Hide').click();
    await drawn(page, /of 409 nodes/);
    await button('Show 1 hidden').click();
    await drawn(page, /of 410 nodes/);
  });

  test('shows the shortest path between two nodes', async () => {
    await ask(page, 'MATCH (p:Person) WHERE p.id IN [7, 17] RETURN p');
    await drawn(page, '2 nodes, 0 edges');
    await choose('Person:7');
    await button('Path to …').click();
    await choose('Person:17');
    await drawn(page, '3 nodes, 2 edges');
    await page.getByRole('checkbox', { name: 'Add to the drawing' }).check();
    await ask(page, 'MATCH (p:Person) WHERE p.id IN [7, 8] RETURN p');
    await drawn(page, '4 nodes, 2 edges');
    await button('Rows').click();
    await page.getByRole('cell', { name: 'Person:8', exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await button('Drawing').click();
  });

  test('is coloured and sized by properties, and keeps style and pins across a reload', async () => {
    await choose('Person:7');
    await button('Pin').click();
    await button('Style').click();
    await page.getByRole('combobox', { name: 'Colour by' }).click();
    await page.getByRole('option', { name: 'age' }).click();
    await page.getByRole('combobox', { name: 'Size by' }).click();
    await page.getByRole('option', { name: 'age' }).click();
    await page.getByRole('combobox', { name: 'Caption of Person' }).click();
    await page.getByRole('option', { name: 'age' }).click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '28 1' }).click();
    await drawn(page, '3 of 4 nodes');
    await page.getByText('Tree').click();
    await settled(page);
    await page.reload();
    await page.getByRole('textbox', { name: 'Username' }).waitFor({ state: 'hidden' });
    await ask(page, 'MATCH (p:Person)-[r]->(c) WHERE p.id < 30 RETURN p, r, c');
    await drawn(page, '40 nodes, 30 edges');
    await page.getByRole('group', { name: 'age' }).getByText('no value').waitFor();
    await page.getByRole('radio', { name: 'Tree', checked: true }).waitFor({ state: 'attached' });
    await shot(page, `tree-${kind}`);
    await choose('Person:7');
    await button('Unpin').click();
    await button('Pin').waitFor();
    await page.getByText('Circle').click();
    await settled(page);
    await shot(page, `circle-${kind}`);
  });

  const fillPagerank = async (label: string, property: string): Promise<void> => {
    await page.getByRole('link', { name: 'Algorithms' }).click();
    await button('pagerank').first().click();
    if (kind === 'DuckDB') {
      await page.getByRole('combobox', { name: 'node_label' }).click();
      await page.getByRole('option', { name: label }).click();
    }
    await page.getByRole('textbox', { name: /property/ }).fill(property);
  };

  test('shows the pagerank of its nodes as rows, as a histogram and in the drawing', async () => {
    await fillPagerank('Stop', 'rank');
    expect(await findings(page)).toEqual([]);
    await button('Run pagerank').click();
    await page.getByRole('region', { name: 'Result of pagerank' }).waitFor();
    await page.getByRole('img', { name: /^Histogram of the values/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await shot(page, `pagerank-${kind}`);
    await button('Show rank in the graph').click();
    await drawn(page, /nodes/);
    await page.getByRole('group', { name: 'rank' }).waitFor();
    await shot(page, `drawn-by-rank-${kind}`);
  });

  test('is drawn by a rank of all labels, in the force layout', async () => {
    await page.getByText('Circle').click();
    await page.getByRole('link', { name: 'Algorithms' }).click();
    await button('Show').first().click();
    await button('Show rank in the graph').click();
    await page.getByRole('radio', { name: 'Force', checked: true }).waitFor({ state: 'attached' });
    const query = await page.getByRole('textbox', { name: 'Cypher query' }).innerText();
    expect(query).toContain(kind === 'DuckDB' ? 'MATCH (a:`Stop`)-' : 'MATCH (a)-');
  });

  test('shows the reason of a rejected run, and cancels a run', async () => {
    await fillPagerank('City', 'name');
    await button('Run pagerank').click();
    await page.getByRole('alert').filter({ hasText: 'Not started' }).waitFor();
    await fillPagerank('Stop', 'endless');
    await page.getByRole('textbox', { name: /^max_iter/ }).fill('1000000');
    await page.getByRole('textbox', { name: /^tol/ }).fill('0');
    await button('Run pagerank').click();
    await page.getByRole('region', { name: 'Runs of algorithms' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('cell', { name: 'cancelled' }).waitFor();
    await page.getByRole('textbox', { name: 'Search algorithms' }).fill('no such thing');
    await page.getByText('No algorithms found.').waitFor();
  });
});

/** The page of the graph on DuckDB, and the number of its running queries. */
const openTown = async () => {
  const { page } = await opened.page();
  await page.goto(opened.api.url);
  await page.getByRole('textbox', { name: 'Username' }).fill('owner');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Town on DuckDB' }).click();
  const owner = opened.api.as('owner');
  const { data } = await owner.call('listInstances', { query: { search: 'Town on DuckDB' } });
  const running = async (): Promise<unknown> => {
    const { body } = await owner.send('GET', `${data[0]?.instance_url}/status`);
    return (body as { readonly running_queries: unknown }).running_queries;
  };
  return { page, running };
};
const ENDLESS = 'MATCH (a:Stop)-[*1..30]-(b), (c:Stop) RETURN count(*)';

test('an export is cancelled in the instance by a click, and by leaving its page', async () => {
  const { page, running } = await openTown();
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await waitFor('the export runs', async () => (await running()) === 1);
  };
  await write(page, ENDLESS);
  await save();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel export' }).click();
  await waitFor('no export runs', async () => (await running()) === 0);
  await save();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'Graphs' }).click();
  await waitFor('no export runs', async () => (await running()) === 0);
  await page.context().close();
});

test('closing the page cancels its query in the instance', async () => {
  const { page, running } = await openTown();
  await ask(page, ENDLESS);
  await waitFor('the query runs', async () => (await running()) === 1);
  await page.close();
  await waitFor('no query runs', async () => (await running()) === 0);
});
