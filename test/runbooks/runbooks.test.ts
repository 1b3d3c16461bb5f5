import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runInDatabase } from '../adapters/duckdb/warehouse-fixture';
import { type ApiClient, apiClient } from '../support/api-client';
import { queryDatabase } from '../support/at-rest';
import { ask, createInstance, createMapping, untilRunning } from '../support/instances';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';
import { commandsOf, Operator } from '../support/runbook';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { killProcessesOf, processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(8 * TIMEOUT_MS);

const ROWS = 'MATCH (p:Person)-[k:KNOWS]->(q:Person) RETURN p.id, p.name, k.since, q.id ORDER BY p.id, q.id';

let system: RunningSystem;
let ada: ApiClient;
let operator: Operator;
let [backup, restored] = ['', ''];
/** The instance whose snapshot is in the backup, and its answer to a query. */
let kept: { readonly id: number; readonly mapping: number; readonly url: string; readonly rows: unknown };

const startWithData = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  system = await startRunningSystem(fillWarehouse, settings);
  [backup, restored] = [`${system.folder}.backup`, `${system.folder}.restored`];
  const { PATH, HOME } = process.env;
  operator = new Operator(system.url, {
    ...{ PATH, HOME, ...system.environment, BACKUP: backup, RESTORED: restored },
    ...{ ROWGRAPH_URL: system.url, ROWGRAPH_USERNAME: 'olivia', npm_config_update_notifier: 'false' },
  });
  ada = apiClient(system.url, 'ada');
  const mapping = await createMapping(ada, townMapping);
  const { id, instance_url } = await untilRunning(ada, await createInstance(ada, mapping));
  kept = { id, mapping, url: instance_url, rows: await ask(ada, instance_url, ROWS) };
  expect(kept.rows).toHaveLength(100);
  // From here on the tables differ from the snapshot.
  const other = join(system.folder, 'warehouse', 'town.duckdb');
  await runInDatabase(
    `${other}.new`,
    `ATTACH '${other}' AS old (READ_ONLY)`,
    'CREATE TABLE people AS FROM old.people WHERE id < 7',
    'CREATE TABLE friends AS FROM old.friends WHERE a < 7 AND b < 7',
  );
  await rename(`${other}.new`, other);
};

afterEach(async () => {
  for (const folder of [system.folder, restored]) {
    killProcessesOf(folder);
    await waitFor('the processes of the system have ended', () => processesOf(folder).length === 0);
  }
  for (const folder of [backup, restored]) await rm(folder, { recursive: true, force: true });
  await system.close();
});

const STOP = commandsOf('backup-and-restore', 'Cold backup').slice(0, 1);

/** The old snapshot loads again, new snapshots can be created, and old ones are deleted with their files. */
const worksWithEverything = async (folder: string): Promise<void> => {
  const { instance_url } = await untilRunning(ada, kept.id);
  expect(instance_url).toBe(kept.url);
  expect(await ask(ada, kept.url, ROWS)).toEqual(kept.rows);
  const olivia = apiClient(system.url, 'olivia');
  const { snapshot_id } = (await ada.call('getInstance', { id: kept.id })).data;
  const { storage_path } = (await ada.call('getSnapshot', { id: snapshot_id ?? 0 })).data;
  expect(storage_path.startsWith(`file://${folder}/objects/ada/`)).toBe(true);

  const fresh = await untilRunning(ada, await createInstance(ada, kept.mapping));
  expect(await ask(ada, fresh.instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[7]]);
  await waitFor('the system is healthy', async () => (await olivia.send('GET', '/api/cluster/health')).status === 200);

  await ada.call('deleteInstance', { id: kept.id });
  await waitFor(
    'the instance is deleted',
    async () => (await ada.send('GET', `/api/instances/${kept.id}`)).status === 404,
  );
  // The snapshot of the other instance is in use and is not deleted.
  const body = { resource_type: 'snapshot', filters: { created_by: 'ada' }, reason: 'no longer needed' } as const;
  expect((await olivia.call('deleteInBulk', { body })).data).toMatchObject({ deleted_count: 1 });
  await waitFor('the files of the snapshot are deleted', () => !existsSync(storage_path.slice('file://'.length)));
};

it('a cold backup is restored to another folder, and everything works there', async () => {
  await startWithData({});
  const [, saved] = await operator.follow(commandsOf('backup-and-restore', 'Cold backup'));
  expect(saved).toContain('./postgres/password');
  await waitFor(
    'the original instance answers',
    async () => (await ask(ada, kept.url, ROWS).catch(() => null)) !== null,
  );
  await operator.follow(STOP);
  await operator.untilEnded();
  const aside = `${system.folder}.aside`;
  await rename(system.folder, aside);

  await operator.follow(commandsOf('backup-and-restore', 'Restore of a cold backup'));
  await worksWithEverything(restored);
  expect(existsSync(system.folder)).toBe(false);
  await rename(aside, system.folder);
});

it('an upgrade keeps the system, including its read models', async () => {
  await startWithData({});
  const tables = ['instances', 'snapshots', 'mappings', 'export_jobs', 'users'];
  const rows = () =>
    Promise.all(
      tables.map((table) =>
        queryDatabase(system, `SELECT id FROM ${table} ORDER BY 1`).catch(() =>
          queryDatabase(system, `SELECT username FROM ${table} ORDER BY 1`),
        ),
      ),
    );
  const before = await rows();
  const [check = '', ...rest] = commandsOf('upgrade');
  const stopAndSave = commandsOf('backup-and-restore', 'Cold backup').slice(0, 2);
  const outputs = await operator.follow([check, ...stopAndSave, ...rest]);
  expect(outputs[0]).toContain('The system is healthy.');
  expect(outputs.at(-1)).toMatch(/read model.*\n[^]*instances +\d+/);
  expect(await rows()).toEqual(before);
  expect(existsSync(join(backup, 'data.tar.gz'))).toBe(true);
  await worksWithEverything(system.folder);
  await operator.follow(STOP);
  await operator.untilEnded();
});

describe('with an external PostgreSQL', () => {
  let postgres: OwnPostgres | null;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    if (postgres === null)
      process.stderr.write('Left out: a hot backup, because there is no pg_dump with its server.\n');
  });
  afterAll(() => postgres?.stop());

  it('a hot backup is restored to another database and folder, and everything works there', async () => {
    if (postgres === null) return;
    await startWithData({ ROWGRAPH_DATABASE_URL: await postgres.createDatabase() });
    await operator.follow(commandsOf('backup-and-restore', 'Hot backup'));
    expect(await ask(ada, kept.url, ROWS)).toEqual(kept.rows);
    await system.stop();
    const aside = `${system.folder}.aside`;
    await rename(system.folder, aside);

    const RESTORED_DATABASE_URL = await postgres.createDatabase();
    const ROWGRAPH_WAREHOUSE_DIR = join(aside, 'warehouse');
    const more = { RESTORED_DATABASE_URL, ROWGRAPH_WAREHOUSE_DIR };
    await operator.follow(commandsOf('backup-and-restore', 'Restore of a hot backup'), more);
    await worksWithEverything(restored);
    expect(existsSync(system.folder)).toBe(false);
    await rename(aside, system.folder);
  });
});
