import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeParquet } from '../adapters/duckdb/warehouse-fixture';
import { type ApiClient } from '../support/api-client';
import { untilAtRest } from '../support/at-rest';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  findProgress,
  untilRunning,
  untilSettled,
} from '../support/instances';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { endlessMapping, fillWarehouse, knows, person, townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';

jest.setTimeout(3 * TIMEOUT_MS);

let system: RunningSystem;
let ada: ApiClient;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  ada = system.as('ada');
});
afterAll(() => system.close());

const people = (rows: string): object => ({
  node_definitions: [{ ...person, sql: `SELECT * FROM (VALUES ${rows}) AS people(id, name, age)` }],
});
const friends = (rows: string): object => ({
  edge_definitions: [{ ...knows, sql: `SELECT * FROM (VALUES ${rows}) AS friends(a, b, since)` }],
});
const day = `DATE '2024-01-01'`;

/**
 * One case for each place that detects faults: the query engine, and the pod by columns, keys and ends. Their own tests
 * cover all cases.
 */
describe('a mapping with broken data', () => {
  it.each([
    [
      'a table that does not exist',
      { node_definitions: [{ ...person, sql: 'SELECT id FROM nowhere' }] },
      ['node Person', 'nowhere'],
    ],
    [
      'no key column',
      { node_definitions: [{ ...person, sql: 'SELECT name, age FROM people' }] },
      ['node Person', 'id'],
    ],
    [
      'an edge to a missing node',
      friends(`(1, 2, ${day}), (3, 4711, ${day})`),
      ['edge KNOWS', 'Person nodes that do not exist', `b = '4711'`],
    ],
    [
      'two defects',
      { ...people(`(1, 'a', 20), (1, 'b', 30)`), ...friends(`(1, 5, ${day})`) },
      ['node Person', `id = '1'`, 'edge KNOWS', `b = '5'`],
    ],
  ])('%s fails the instance and is named', async (_, change, words) => {
    const id = await createInstance(ada, await createMapping(ada, { ...townMapping, ...change }));
    const instance = await untilSettled(ada, id);
    expect(instance).toMatchObject({ status: 'failed', error_code: 'DATA_LOAD_ERROR', instance_url: null });
    for (const word of words) expect(instance.error_message).toContain(word);
    expect(instance.error_message).not.toMatch(/(node Person: ){2}|(edge KNOWS: ){2}/);
    const progress = await findProgress(ada, id);
    expect(progress).toMatchObject({
      status: 'failed',
      phase: instance.failed_phase,
      error_code: 'DATA_LOAD_ERROR',
      error_message: instance.error_message,
    });
  });

  it('leaves no process, no folder and no occupied slot', async () => {
    await untilAtRest(system);
    const { meta } = await ada.call('listInstances', { query: { status: 'failed' } });
    expect(meta.total).toBe(4);
  });

  it('can be deleted like any other', async () => {
    const { data } = await ada.call('listInstances');
    await Promise.all(data.map(({ id }) => deleteInstance(ada, id)));
    expect((await ada.call('listInstances')).meta.total).toBe(0);
  });
});

describe('a definition without rows', () => {
  it('is an empty table of the graph', async () => {
    const empty = {
      ...townMapping,
      edge_definitions: [{ ...knows, sql: 'SELECT a, b, since FROM friends WHERE a < 0' }],
    };
    const instance = await untilRunning(ada, await createInstance(ada, await createMapping(ada, empty)));
    expect(instance.graph_stats).toEqual({ node_count: 100, edge_count: 0 });
    await deleteInstance(ada, instance.id);
  });
});

describe('an export that hangs', () => {
  it('is cancelled when its instance is deleted, and the worker continues', async () => {
    const id = await createInstance(ada, await createMapping(ada, endlessMapping));
    await waitFor(
      'the export is in progress',
      async () => (await findProgress(ada, id)).steps?.[0]?.tables?.[0]?.status === 'in_progress',
      TIMEOUT_MS,
    );
    await deleteInstance(ada, id);
    const other = await untilRunning(ada, await createInstance(ada, await createMapping(ada, townMapping)));
    await waitFor('the query is cancelled and leaves no files', () => hasNoScratchFiles(system.folder), TIMEOUT_MS);
    await deleteInstance(ada, other.id);
    await untilAtRest(system);
  });
});

describe('an object store that is unavailable', () => {
  it('fails the snapshot, which is never ready without rows, and later instances run', async () => {
    const bob = system.as('bob');
    const inTheWay = join(system.folder, 'objects', 'bob');
    await mkdir(join(inTheWay, '..'), { recursive: true });
    await writeFile(inTheWay, 'a file where the folder belongs');
    const mapping = await createMapping(bob, townMapping);
    const instance = await untilSettled(bob, await createInstance(bob, mapping));
    expect(instance).toMatchObject({ status: 'failed', error_code: 'DATA_LOAD_ERROR' });
    expect(instance.error_message).toContain('node Person: the object store failed');
    const { data: snapshot } = await bob.call('getSnapshot', { id: instance.snapshot_id ?? 0 });
    expect(snapshot).toMatchObject({ status: 'failed', node_counts: {}, edge_counts: {} });
    const { data: jobs } = await bob.call('listExportJobs');
    expect(jobs).toMatchObject([NOT_COUNTED, NOT_COUNTED]);

    await rm(inTheWay);
    const next = await untilRunning(bob, await createInstance(bob, mapping));
    expect(next.graph_stats).toMatchObject({ node_count: 100 });
    await Promise.all([deleteInstance(bob, instance.id), deleteInstance(bob, next.id)]);
  });
});

const NOT_COUNTED = { status: 'failed', row_count: null, size_bytes: null };

describe('rows that become invalid', () => {
  it('fail the next instance of the mapping, while an earlier one continues', async () => {
    const table = join(system.folder, 'warehouse', 'today', 'main', 'people.parquet');
    const node = { ...person, sql: 'SELECT id, name, age FROM today.main.people' };
    const mapping = await createMapping(ada, { name: 'Today', node_definitions: [node] });
    await writeParquet(table, `SELECT 1 AS id, 'a' AS name, 20 AS age`);
    const { id, instance_url } = await untilRunning(ada, await createInstance(ada, mapping));
    await writeParquet(table, `SELECT 1 AS id, 'a' AS name, 20 AS age FROM range(2)`);
    const next = await untilSettled(ada, await createInstance(ada, mapping));
    expect(next).toMatchObject({ status: 'failed', error_code: 'DATA_LOAD_ERROR' });
    expect((await findInstance(ada, id)).status).toBe('running');
    expect(await ask(ada, instance_url, 'MATCH (p:Person) RETURN p.name, p.age')).toEqual([['a', 20]]);
    await Promise.all([deleteInstance(ada, id), deleteInstance(ada, next.id)]);
  });
});

const hasNoScratchFiles = async (folder: string): Promise<boolean> => {
  const entries = await readdir(join(folder, 'scratch'), { recursive: true });
  return !entries.some((name) => name.includes('job-') || name.endsWith('.parquet'));
};
