import { join } from 'node:path';
import { type BrowserContext, type Page } from 'playwright-core';
import { runInDatabase } from '../../adapters/duckdb/warehouse-fixture';

/** People, the cities they live in, and stops of a line, as tables from which the console suggests a graph. */
export const fillTown = (folder: string): Promise<void> =>
  runInDatabase(
    join(folder, 'warehouse', 'town.duckdb'),
    `CREATE TABLE city AS SELECT i AS id, 'City ' || i AS name FROM range(10) t(i)`,
    `CREATE TABLE person AS SELECT i AS id, 'Person ' || i AS name, 20 + i % 50 AS age, i % 10 AS home_city_id FROM range(400) t(i)`,
    // Large enough that an algorithm can be cancelled while it runs.
    `CREATE TABLE stop AS SELECT i AS id, (i * 7 + 1) % 20000 AS next_stop_id FROM range(20000) t(i)`,
  );

/** Starts a graph of the town from the first page of a system, and waits for its drawing. */
export const startTown = async (page: Page, kind: 'DuckDB' | 'FalkorDB'): Promise<void> => {
  await page.getByRole('button', { name: /Use my tables/ }).click();
  for (const table of ['person', 'city', 'stop'])
    await page.getByRole('checkbox', { name: `town.main.${table}`, exact: true }).check();
  await page.getByText('(Person) –[HOME_CITY]→ (City)').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill(`Town on ${kind}`);
  if (kind !== 'DuckDB') {
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: kind }).click();
  }
  await page.getByRole('button', { name: 'Start the graph' }).click();
  await drawn(page, /nodes/);
};

/** Waits for a drawing with this many nodes and edges. */
export const drawn = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByTestId('drawn').filter({ hasText: text }).waitFor();

/** Waits until the layout has settled. */
export const settled = (page: Page): Promise<void> => page.locator('.drawing-canvas[data-settled]').waitFor();

/** The number of redraws within 20 frames. */
export const drawnFrames = async (page: Page): Promise<number> =>
  Number(
    await page.evaluate(`new Promise((done) => {
      const { prototype } = CanvasRenderingContext2D;
      const { clearRect } = prototype;
      let [count, frames] = [0, 0];
      prototype.clearRect = function (...rectangle) {
        count++;
        clearRect.apply(this, rectangle);
      };
      const step = () => {
        if (frames++ < 20) return requestAnimationFrame(step);
        prototype.clearRect = clearRect;
        done(count);
      };
      requestAnimationFrame(step);
    })`),
  );

/** Delays the answers of an address until `release`. */
export const hold = async (context: BrowserContext, path: string): Promise<() => Promise<void>> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await context.route(path, async (route) => {
    await released;
    // The page may have cancelled the request.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release();
    await context.unroute(path);
  };
};

/** Rejects the requests of a method to an address. */
export const reject = (page: Page, path: string, method: string): Promise<unknown> =>
  page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 403, json: { error: { code: 'FORBIDDEN', message: 'Not now.', details: {} } } })
      : route.fallback(),
  );

/** Shortens the lists at an address to their first item. */
export const shorten = (page: Page, path: string): Promise<unknown> =>
  page.route(path, (route) => route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }));

/** Starts to count the actions of a user in a page: clicks and filled fields. */
export const countActions = async (page: Page): Promise<() => Promise<unknown>> => {
  await page.evaluate(`
    window.actions_ = 0;
    for (const type of ['pointerdown', 'change']) addEventListener(type, ({ target }) => {
      if (type === 'pointerdown' || target.type === 'text') actions_++;
    }, true);`);
  return () => page.evaluate('actions_');
};

export const write = async (page: Page, query: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Cypher query' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(query);
};

export const ask = async (page: Page, query: string): Promise<void> => {
  await write(page, query);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
};
