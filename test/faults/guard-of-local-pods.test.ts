import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient } from '../support/api-client';
import { ask, createInstance, createMapping, type InstanceDetail, untilRunning } from '../support/instances';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { runToItsEnd } from '../support/run-to-its-end';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfOwnLog } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';

jest.setTimeout(4 * PATIENCE_MS);

let database: TestDatabase;
let objects: string;
let first: RunningSystem;
let ada: ApiClient;
let town: InstanceDetail & { readonly instance_url: string };
const log = settingsOfOwnLog();
const shared = () => ({
  ROWGRAPH_DATABASE_URL: database.connectionString,
  ROWGRAPH_OBJECT_STORE_DIR: objects,
  ...log,
});

beforeAll(async () => {
  database = await createTestDatabase();
  objects = await mkdtemp(join(tmpdir(), 'rowgraph-objects-'));
  first = await startRunningSystem(fillWarehouse, shared());
  ada = first.as('ada');
  town = await untilRunning(ada, await createInstance(ada, await createMapping(ada, townMapping)));
});
afterAll(async () => {
  await first.close();
  await rm(objects, { recursive: true, force: true });
  await database.drop();
});

const controlPlane = (system: RunningSystem): number => system.processes('control plane')[0]?.pid ?? 0;
const answers = async (client: ApiClient, url: string): Promise<void> =>
  expect(await ask(client, url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);

describe('beside a control plane that runs pods as local processes', () => {
  it.each(['process', 'none'])('one of the runtime %s does not start, and says who is in the way', async (runtime) => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-second-'));
    const before = first.processes();
    const { code, lines } = await runToItsEnd({
      ...shared(),
      ROWGRAPH_DATA_DIR: folder,
      ROWGRAPH_POD_RUNTIME: runtime,
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      new RegExp(
        `^Another control plane works on this database: process ${controlPlane(first)} on ${hostname()}, since 20.*Z\\. ` +
          `That one runs pods .* set ROWGRAPH_POD_RUNTIME=none for all`,
      ),
    );
    const parts = before.filter(({ part }) => part !== null).map(({ pid }) => pid);
    expect(first.processes().map(({ pid }) => pid)).toEqual(expect.arrayContaining(parts));
    await answers(ada, town.instance_url);
    await rm(folder, { recursive: true });
  });

  it('a start after its death by force waits until it counts as dead, and says so', async () => {
    await first.kill('control plane');
    await first.start();
    expect(first.output()).toContain('holds the lease local-pods; waiting up to 9 s to see whether it still lives');
    await untilRunning(ada, town.id);
    await answers(ada, town.instance_url);
  });

  it.each([
    ['is still there', false],
    ['has come and gone', true],
  ])('another one takes over when it is frozen, and it ends itself when that one %s', async (_, isGone) => {
    if (first.processes().length === 0) await first.start();
    const frozen = controlPlane(first);
    process.kill(frozen, 'SIGSTOP');
    // The users are there: both have the same ones.
    const second = await startRunningSystem(fillWarehouse, shared(), () => Promise.resolve());
    try {
      await untilRunning(second.as('ada'), town.id);
      if (isGone) await second.stop();
      process.kill(frozen, 'SIGCONT');
      await waitFor('all of the first has ended', () => first.processes().length === 0);
      expect(first.output()).toContain('until another one ran the pods in its place. It ends, with its pods.');
      if (isGone) return;
      expect(first.output()).toContain(`It is process ${controlPlane(second)} on ${hostname()}.`);
      await untilRunning(second.as('ada'), town.id);
      await answers(second.as('ada'), second.url + new URL(town.instance_url).pathname);
    } finally {
      await second.close();
    }
  });
});
