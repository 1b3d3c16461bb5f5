import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { startProgram } from '../../adapters/local-process/start-program';
import { createPostgresLeaseStore } from '../../adapters/postgres/postgres-lease-store';
import { rebuildProjections } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { sealsProjection } from '../../projections/seals';
import { type ApiClient } from '../support/api-client';
import { databaseUrlOf, queryDatabase, untilAtRest } from '../support/at-rest';
import { expectRight } from '../support/given-when-then';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findProgress,
  untilRunning,
  untilSettled,
} from '../support/instances';
import { withLogOf } from '../support/log-of';
import { runToItsEnd } from '../support/run-to-its-end';
import { type RunningSystem, START_PROGRAM, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { endlessMapping, fillWarehouse, person, townMapping } from '../support/sample-mappings';
import { processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(2 * TIMEOUT_MS);

/** The log lines of level warning or higher. */
const warningsIn = (output: string): readonly string[] =>
  output.split('\n').filter((line) => /"level":[456]0/.test(line));

it('exits with code 0 on a SIGTERM during the start, with all its processes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-early-end-'));
  const environment = { ROWGRAPH_DATA_DIR: folder, ROWGRAPH_PORT: '0', ROWGRAPH_INTERNAL_PORT: '0' };
  const program = expectRight(startProgram({ programPath: START_PROGRAM, environment, onLine: () => undefined }));
  await waitFor('the folder of PostgreSQL exists', () => existsSync(join(folder, 'postgres')), TIMEOUT_MS);
  program.signal('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  await waitFor('all processes have ended', () => processesOf(folder).length === 0, TIMEOUT_MS);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('invalid settings', () => {
  it('are listed all at once, and nothing is started', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-settings-'));
    const { code, lines } = await runToItsEnd({
      ROWGRAPH_DATA_DIR: folder,
      ROWGRAPH_PORT: 'http',
      ROWGRAPH_INTERNAL_PORT: '70000',
      ROWGRAPH_POD_RUNTIME: 'docker',
      ROWGRAPH_COLOUR: 'red',
    });
    expect(code).toBe(1);
    const text = lines.join('\n');
    for (const name of ['PORT', 'INTERNAL_PORT', 'POD_RUNTIME', 'COLOUR']) {
      expect(text).toContain(`  - ROWGRAPH_${name} `);
    }
    await rm(folder, { recursive: true });
  });

  it('settings that would allow anonymous access from outside are rejected', async () => {
    const { code, lines } = await runToItsEnd({ ROWGRAPH_HOST: '0.0.0.0' });
    expect(code).toBe(1);
    expect(lines.join('\n')).toContain('ROWGRAPH_EDGE_TOKEN is required when ROWGRAPH_HOST is 0.0.0.0');
  });

  it('settings that contain an address of another machine are rejected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-settings-'));
    const { code, lines } = await runToItsEnd({
      ROWGRAPH_DATA_DIR: folder,
      ROWGRAPH_INTERNAL_HOST: '192.0.2.77',
      ROWGRAPH_INTERNAL_SECRET: 'a secret of the thirty-two letters',
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/internal API cannot listen on .*Set ROWGRAPH_INTERNAL_HOST to an address of this/);
    await rm(folder, { recursive: true });
  });

  it.each([
    ['a port for both APIs', { ROWGRAPH_PORT: '8081' }, /PORT and ROWGRAPH_INTERNAL_PORT are both 8081/],
    [
      'a database address without a server',
      {
        ROWGRAPH_PORT: '0',
        ROWGRAPH_INTERNAL_PORT: '0',
        ROWGRAPH_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      },
      /could not be opened.*ECONNREFUSED.*ROWGRAPH_DATABASE_URL/,
    ],
  ])('settings with %s are rejected, and no folder is created', async (_what, settings, words) => {
    const around = await mkdtemp(join(tmpdir(), 'rowgraph-settings-'));
    const { code, lines } = await runToItsEnd({
      ROWGRAPH_DATA_DIR: join(around, 'state', 'rowgraph'),
      ...settings,
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(words);
    expect(await readdir(around)).toEqual([]);
    await rm(around, { recursive: true });
  });
});

describe('a system', () => {
  let system: RunningSystem;
  let ada: ApiClient;
  beforeAll(async () => {
    system = await startRunningSystem(fillWarehouse, { ROWGRAPH_INTERNAL_HOST: '127.0.0.2' });
    ada = system.as('ada');
  });
  afterAll(() => system.close());

  it('owns its folder: a second one is rejected and does not disturb the first', async () => {
    const before = system.processes();
    const { code, lines } = await runToItsEnd({
      ...system.environment,
      ROWGRAPH_PORT: '0',
      ROWGRAPH_INTERNAL_PORT: '0',
    });
    expect(code).toBe(1);
    expect(lines.join('\n')).toContain(`${system.folder} is in use`);
    expect(system.processes('control plane')).toEqual(before.filter(({ part }) => part === 'control plane'));
    expect((await ada.call('listMappings')).meta.total).toBe(0);
  });

  it('rejects a port that another program uses, and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-second-'));
    const { code, lines } = await runToItsEnd({
      ...system.environment,
      ROWGRAPH_DATA_DIR: join(folder, 'new'),
      ROWGRAPH_INTERNAL_PORT: '0',
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      /public API cannot listen on .*another program uses it\. Set ROWGRAPH_PORT to a free port/,
    );
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('serves its internal API only at the configured address, where its workers and pods reach it', async () => {
    const at = async (host: string) => fetch(`http://${host}:${system.environment['ROWGRAPH_INTERNAL_PORT']}/metrics`);
    expect((await at('127.0.0.2')).status).toBe(200);
    await expect(at('127.0.0.1')).rejects.toThrow('fetch failed');
    const id = await createInstance(ada, await createMapping(ada, townMapping));
    await untilRunning(ada, id);
    await deleteInstance(ada, id);
  });

  it('ends all its processes on SIGTERM without a warning, and serves the same instances below the new base URL afterwards', async () => {
    const mapping = await createMapping(ada, townMapping);
    const ids = [await createInstance(ada, mapping), await createInstance(ada, mapping)];
    const before = await Promise.all(ids.map((id) => untilRunning(ada, id)));
    expect(await system.stop()).toEqual({ code: 0, signal: null });
    expect(system.processes()).toEqual([]);
    expect(warningsIn(system.output())).toEqual([]);

    const graphs = `http://localhost:${system.environment['ROWGRAPH_PORT']}/graphs`;
    await system.start({ ROWGRAPH_INSTANCE_BASE_URL: graphs });
    for (const { id, instance_url } of before) {
      const after = await untilRunning(ada, id);
      expect(after.instance_url).toBe(`${graphs}/${basename(instance_url)}`);
      expect((await ada.call('listInstances', { query: {} })).data).toContainEqual(
        expect.objectContaining({ id, instance_url: after.instance_url }),
      );
      expect(await ask(ada, after.instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);
    }
    await Promise.all(ids.map((id) => deleteInstance(ada, id)));
    await untilAtRest(system);
  });

  it('answers the writes in progress on SIGTERM, and closes their connections', async () => {
    const { total: before = 0 } = (await ada.call('listMappings')).meta;
    // Appends wait until the test ends its transaction.
    const blocking = new Client({ connectionString: await databaseUrlOf(system) });
    // The database may close this connection.
    blocking.on('error', () => undefined);
    await blocking.connect();
    await blocking.query('BEGIN; LOCK TABLE es.events IN EXCLUSIVE MODE');
    const body = JSON.stringify({ ...townMapping, name: 'In progress' });
    const headers = { 'X-Username': 'ada', 'Content-Type': 'application/json' };
    const writes = Array.from({ length: 50 }, () =>
      fetch(`${system.url}/api/mappings`, { method: 'POST', headers, body }),
    );
    await waitFor('a write waits for a lock', async () => {
      const sql = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'es.events'::regclass`;
      return (await blocking.query(sql)).rows.length > 0;
    });
    // Connections are accepted in order: those of all writes precede this one.
    await fetch(`${system.url}/api/nothing`);
    const stopped = system.stop();
    await waitFor('new connections are refused', () =>
      fetch(`${system.url}/health`).then(
        () => false,
        () => true,
      ),
    );
    await blocking.query('COMMIT');
    await blocking.end();
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status)).toEqual(writes.map(() => 201));
    expect(answers.map((answer) => answer.headers.get('Connection'))).toEqual(writes.map(() => 'close'));
    expect(await stopped).toEqual({ code: 0, signal: null });

    await system.start();
    expect((await ada.call('listMappings')).meta.total).toBe(before + writes.length);
  });

  it('does not wait for a long export on SIGTERM, and resumes it at the next start', async () => {
    const id = await createInstance(ada, await createMapping(ada, endlessMapping));
    const exporting = (): Promise<void> =>
      waitFor(
        'the export is in progress',
        async () => (await findProgress(ada, id)).steps?.[0]?.tables?.[0]?.status === 'in_progress',
        TIMEOUT_MS,
      );
    await exporting();
    expect(await system.stop()).toEqual({ code: 0, signal: null });
    expect(system.processes()).toEqual([]);
    await system.start();
    await exporting();
    await deleteInstance(ada, id);
  });

  it('rebuilds its read models identically, row by row', async () => {
    const running = await createInstance(ada, await createMapping(ada, townMapping));
    const sql = 'SELECT nothing FROM people';
    const broken = await createMapping(ada, { name: 'Broken', node_definitions: [{ ...person, sql }] });
    await untilRunning(ada, running);
    await untilSettled(ada, await createInstance(ada, broken));
    await ada.call('addFavorite', { body: { resource_type: 'mapping', resource_id: broken } });
    await ada.send('PUT', `/api/mappings/${broken}/queries/all`, { body: { query: 'MATCH (n) RETURN n' } });
    const ops = system.as('olivia');
    await ops.call('setExportConfig', { body: { max_duration_seconds: 120 } });
    await ops.call('createApiKey', { id: 'olivia', body: { name: 'for scripts' } });
    await ops.call('issueAccessToken', { id: running, body: { expires_in: 'PT8H' } });
    await ops.call('triggerJob', { body: { job_name: 'lifecycle', reason: 'to have a run' } });
    await waitFor('the job has run', async () => {
      const jobs = await queryDatabase(system, 'SELECT name FROM jobs WHERE open_trigger IS NULL');
      return jobs.length > 0;
    });
    await untilAtRest(system);

    // A seal can be appended at any time.
    const compared = projections.filter(({ name, exposes }) => exposes.length > 0 && name !== sealsProjection.name);
    const tables = compared.flatMap(({ exposes }) => exposes);
    const others = `to_jsonb(r) ->> 'type' IS DISTINCT FROM 'LogSealed'`;
    const rows = (): Promise<unknown> =>
      Promise.all(
        tables.map((table) => queryDatabase(system, `SELECT * FROM ${table} AS r WHERE ${others} ORDER BY r::text`)),
      );
    const before = await rows();
    expect(before).not.toContainEqual([]);
    await withLogOf(system, async (store, pool) => {
      const leases = createPostgresLeaseStore(pool);
      for (const projection of compared) {
        expect((await rebuildProjections({ pool, store, leases }, [projection])).events).toBeGreaterThan(0);
      }
    });
    expect(await rows()).toEqual(before);

    await deleteInstance(ada, running);
    await untilAtRest(system);
  });
});
