import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { chromium, type Page } from 'playwright-core';
import { withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { need } from './need';
import { benchClient, startInstance } from './start-instance';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const GRAPHS = [
  { nodes: 1_000, edges: 3_000, atLeast: 50 },
  { nodes: 5_000, edges: 20_000, atLeast: 30 },
];
const RUNS = 3;

/** The first view of the console, and frames per second of its drawing while the layout runs, in Chromium without a GPU. */
export const consoleBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async ({ connectionString, folder }) => {
    await fillWarehouse(join(folder, 'data', 'warehouse'));
    const more = { ROWGRAPH_POD_RUNTIME: 'process', ROWGRAPH_EMBEDDED_WORKER: 'on' };
    return withBenchSystem({ connectionString, folder }, (url) => measure(url, say), more);
  });

const measure = async (url: string, say: (line: string) => void): Promise<readonly Figure[]> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, bypassCSP: true });
    page.setDefaultTimeout(120_000);
    const figures: Figure[] = [await firstView(page, url)];
    for (const { nodes, edges, atLeast } of GRAPHS) {
      say(`drawing ${nodes} nodes and ${edges} edges`);
      await draw(page, await startGraph(url, nodes, say), nodes);
      const rates: number[] = [];
      for (let run = 0; run < RUNS; run++) rates.push(await framesPerSecond(page));
      figures.push({
        what: `drawing ${nodes} nodes and ${edges} edges`,
        value: rounded(quantile(rates, 0.5)),
        unit: 'frames/s',
        goal: { atLeast },
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
};

const fillWarehouse = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(join(folder, 'net.duckdb'));
  const connection = await instance.connect();
  for (const { nodes, edges } of GRAPHS) {
    await connection.run(`CREATE TABLE point_${nodes} AS SELECT i AS id FROM range(${nodes}) t(i)`);
    await connection.run(
      `CREATE TABLE link_${nodes} AS SELECT (i * 7919 + i // 7) % ${nodes} AS a, (i * 104729 + 13) % ${nodes} AS b FROM range(${edges}) t(i)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
};

/** Starts a graph with this many nodes and returns the id of its instance. */
const startGraph = async (url: string, nodes: number, say: (line: string) => void): Promise<number> => {
  const api = benchClient(url);
  const node = {
    label: 'Point',
    sql: `SELECT id FROM net.main.point_${nodes}`,
    primary_key: { name: 'id', type: 'INT64' as const },
  };
  const edge = {
    type: 'LINK',
    sql: `SELECT a, b FROM net.main.link_${nodes}`,
    from_node: 'Point',
    to_node: 'Point',
    from_key: 'a',
    to_key: 'b',
  };
  const body = { name: `Net of ${nodes}`, node_definitions: [node], edge_definitions: [edge] };
  const { id: mappingId } = need(await api.createMapping({ body })).data;
  return (await startInstance(api, mappingId, 'graphdb_a', say)).id;
};

/** Opens the console several times, then signs in. */
const firstView = async (page: Page, url: string): Promise<Figure> => {
  const name = page.getByRole('textbox', { name: 'Username' });
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.goto('about:blank');
    const startedAt = performance.now();
    await page.goto(url);
    await name.waitFor();
    seconds.push((performance.now() - startedAt) / 1000);
  }
  await name.fill('olivia');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /^Try the sample/ }).waitFor();
  return { what: 'first view', value: rounded(quantile(seconds, 0.5)), unit: 's', goal: { atMost: 1 } };
};

/** Draws a whole graph with the force layout. */
const draw = async (page: Page, id: number, nodes: number): Promise<void> => {
  const query = encodeURIComponent('MATCH (a)-[r]->(b) RETURN a, r, b');
  await page.goto(`${page.url().replace(/#.*/, '')}#/graphs/${id}?query=${query}`);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: /^Draw / }).click();
  await page
    .getByTestId('drawn')
    .filter({ hasText: `${nodes.toLocaleString('en')} nodes` })
    .waitFor();
  await settled(page);
};

const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction("document.querySelector('.drawing-canvas[data-settled]') !== null");

/** Frames from the start of the force layout until it has settled. */
const framesPerSecond = async (page: Page): Promise<number> => {
  await page.getByText('Circle').click();
  await settled(page);
  await page.evaluate(`
    window.frames_ = { count: 0, first: 0, last: 0 };
    const step = (at) => {
      const isSettled = document.querySelector('.drawing-canvas[data-settled]') !== null;
      const { frames_ } = window;
      if (frames_.first === 0 && isSettled) return requestAnimationFrame(step);
      if (isSettled) return frames_.isDone = true;
      frames_.first ||= at;
      frames_.last = at;
      frames_.count++;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);`);
  await page.getByText('Force').click();
  await page.waitForFunction('window.frames_.isDone === true');
  return Number(await page.evaluate('1000 * (frames_.count - 1) / (frames_.last - frames_.first)'));
};
