import { join } from 'node:path';
import { loseCatalogOf, runInDatabase } from '../adapters/duckdb/warehouse-fixture';
import { commandLine } from '../support/command-line';
import { ask, createInstance, createMapping, untilRunning } from '../support/instances';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(2 * TIMEOUT_MS);

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(async (warehouse) => {
    await fillWarehouse(warehouse);
    await runInDatabase(join(warehouse, 'lost.duckdb'), 'CREATE TABLE film AS SELECT 1 AS id');
    await loseCatalogOf(join(warehouse, 'lost.duckdb'));
  });
});
afterAll(() => system.close());

it('neither prevents the start nor the reading of other catalogs, and is reported with the reason', async () => {
  const ada = system.as('ada');
  const catalogs = async () => (await ada.call('listSchemaCatalogs')).data;
  await waitFor('both catalogs are listed', async () => (await catalogs()).length === 2, TIMEOUT_MS);
  const problem = expect.stringMatching(/lost\.duckdb could not be opened: Failed to load/) as string;
  expect(await catalogs()).toMatchObject([
    { catalog_name: 'lost', schema_count: 0, problem },
    { catalog_name: 'town', schema_count: 1, problem: null },
  ]);
  const ready = await fetch(`${system.url}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'ready', warnings: { warehouse: '1 catalogs are incomplete; see: rowgraph catalog browse' } },
  ]);
  expect((await ada.call('browseCatalogs')).data.catalogs).toEqual(['town']);
  const sql = 'SELECT id, name, age FROM town.main.people';
  const mapping = { name: 'Town', node_definitions: [{ ...townMapping.node_definitions[0], sql }] };
  const { instance_url } = await untilRunning(ada, await createInstance(ada, await createMapping(ada, mapping)));
  expect(await ask(ada, instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);

  const as = (username: string) => ({
    environment: { ROWGRAPH_URL: system.url, ROWGRAPH_USERNAME: username },
  });
  const run = commandLine(system.folder);
  const browsed = await run(['catalog', 'browse'], as('ada'));
  expect(browsed).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/^lost: .*lost\.duckdb could not/) as string,
  });
  const refreshed = await run(['catalog', 'refresh'], as('olivia'));
  expect(refreshed).toEqual({
    code: 1,
    out: 'Refreshed the catalogs, except for 1 problem:\n',
    errors: `${browsed.errors}Correct, move or remove these files, then: rowgraph catalog refresh\n`,
  });
});
