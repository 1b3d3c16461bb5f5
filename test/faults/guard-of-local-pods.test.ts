import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient } from '../support/api-client';
import { ask, createInstance, createMapping, type InstanceDetail, untilRunning } from '../support/instances';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { runToItsEnd } from '../support/run-to-its-end';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfOwnLog } from '../support/system-event-store';

jest.setTimeout(4 * TIMEOUT_MS);

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

describe('next to a control plane that runs pods as local processes', () => {
  const second = async (runtime: string): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-second-'));
    const before = first.processes();
    const { code, lines } = await runToItsEnd({
      ...shared(),
      ROWGRAPH_DATA_DIR: folder,
      ROWGRAPH_POD_RUNTIME: runtime,
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toContain(`uses this database: process ${controlPlane(first)} on ${hostname()}, since 20`);
    const parts = before.filter(({ part }) => part !== null).map(({ pid }) => pid);
    expect(first.processes().map(({ pid }) => pid)).toEqual(expect.arrayContaining(parts));
    await rm(folder, { recursive: true });
  };

  it.each(['process', 'none'])(
    'a second one with the runtime %s does not start, and reports the first one',
    async (runtime) => {
      await second(runtime);
      await answers(ada, town.instance_url);
    },
  );

  it('a second one does not start while the first is frozen', async () => {
    const frozen = controlPlane(first);
    process.kill(frozen, 'SIGSTOP');
    try {
      await second('process');
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
    await answers(ada, town.instance_url);
  });

  it('it restarts at once after it was killed', async () => {
    await first.kill('control plane');
    await first.start();
    await untilRunning(ada, town.id);
    await answers(ada, town.instance_url);
  });
});
