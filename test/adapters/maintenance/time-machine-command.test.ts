import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { firstUser, newKey, rebuild } from '../../../adapters/maintenance/server-commands';
import { MAINTENANCE } from '../../../adapters/postgres/pool';
import { type Answer, type ApiClient } from '../../support/api-client';
import { killedProgram, terminalOf } from '../../support/command-line';
import { type InProcessApi, startInhabitedApi } from '../../support/in-process-api';
import { createInstance, createMapping } from '../../support/instances';
import { townMapping } from '../../support/sample-mappings';
import { type Printed, startTimeMachine, type WithMachine, withTimeMachine } from '../../support/time-machine';
import { waitFor } from '../../support/wait-for';

let api: InProcessApi;
let [olivia, ada]: ApiClient[] = [];
beforeAll(async () => {
  api = await startInhabitedApi();
  [olivia, ada] = ['olivia', 'ada'].map((name) => api.as(name));
});
afterAll(() => api.close());

const run = (asOf: string, port: number, stop: AbortSignal, printed?: Printed) =>
  startTimeMachine(api.environment, asOf, port, stop, printed);
const during = (asOf: string, work: WithMachine): Promise<void> => withTimeMachine(api.environment, asOf, work);

const rowsOf = async (sql: string): Promise<number> => {
  const client = new Client(api.environment['ROWGRAPH_DATABASE_URL']);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows.length;
};

const replaySchemas = () => rowsOf(`SELECT 1 FROM pg_namespace WHERE starts_with(nspname, 'replay_')`);
/** The server has the databases of other tests, too. */
const REPLAY_LOCKS = `pg_locks WHERE locktype = 'advisory' AND classid = 702017061
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const replayLocks = () => rowsOf(`SELECT 1 FROM ${REPLAY_LOCKS}`);

const positionNow = async (): Promise<string> =>
  String((await olivia!.send('GET', '/api/mappings')).headers['x-event-position']);

describe('the time machine', () => {
  it('answers details, lists, the audit trail and causes as the live system did, read-only, and leaves nothing', async () => {
    const mapping = await createMapping(ada!, townMapping);
    const instance = await createInstance(ada!, mapping);
    const paths = [
      ...[
        '/api/mappings',
        `/api/mappings/${mapping}`,
        `/api/mappings/${mapping}/versions`,
        '/api/users',
        '/api/users/bob',
      ],
      ...['/api/favorites', '/api/export-jobs', '/api/config/export', `/api/mappings/${mapping}/tree`],
      `/api/mappings/${mapping}/why`,
      `/api/mappings/${mapping}/audit`,
      `/api/instances/${instance}/audit?type=InstanceRequested&include=data`,
    ];
    // The processes create the snapshot of the instance meanwhile: the reads of one moment after that.
    let [at, then]: [string, readonly Answer[]] = ['', []];
    let names: unknown;
    await waitFor('reads between two events', async () => {
      at = await positionNow();
      then = await Promise.all(paths.map((path) => olivia!.send('GET', path)));
      names = (await olivia!.send('GET', '/api/instances')).body;
      return JSON.stringify(then[0]?.body).includes('"snapshot_count":1') && (await positionNow()) === at;
    });
    await ada!.send('PUT', `/api/mappings/${mapping}`, { body: { name: 'Renamed' } });
    await createMapping(ada!, { ...townMapping, name: 'Later' });
    await olivia!.send('PUT', '/api/users/bob', { body: { display_name: 'Robert' } });
    await during(at, async (as, position, url) => {
      expect(await replaySchemas()).toBe(1);
      const now = as('olivia');
      for (const [index, path] of paths.entries()) {
        const answer = await now.send('GET', path);
        const { data } = answer.body as { readonly data: unknown };
        expect({ path, status: answer.status, data }).toEqual({
          ...{ path, status: 200 },
          data: (then[index]!.body as { readonly data: unknown }).data,
        });
        expect(answer.headers['x-as-of-position']).toBe(position);
      }
      expect((await now.send('GET', '/api/instances')).body).toMatchObject({
        data: (names as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => ({ id })),
      });
      // The description of the live API does not have these answers.
      const refuse = async (method: string, path: string, user = 'olivia') => {
        const answer = await fetch(`${url}${path}`, { method, headers: { 'X-Username': user } });
        return { status: answer.status, text: await answer.text() };
      };
      for (const [method, path] of [
        ['PUT', `/api/mappings/${mapping}`],
        ['POST', '/api/mappings'],
        ['DELETE', '/api/unknown'],
      ] as const) {
        const { status, text } = await refuse(method, path);
        expect([status, text]).toEqual([405, expect.stringContaining(`position ${position} of the log`)]);
      }
      for (const path of ['/api/schema/catalogs', '/api/cluster/health', `/api/instances/${instance}/progress`, '/x']) {
        const { status, text } = await refuse('GET', path);
        expect([path, status, text]).toEqual([path, 404, expect.stringContaining('Ask the live system')]);
      }
      expect((await refuse('GET', '/api/mappings', 'ada')).status).toBe(403);
      expect((await as(null).send('GET', '/api/mappings')).status).toBe(401);
    });
    expect(await replaySchemas()).toBe(0);
  });

  it('counts the events up to a time', async () => {
    const before = new Date();
    while (Date.now() <= before.getTime());
    await createMapping(ada!, townMapping);
    await during(before.toISOString(), async (as) => {
      const list = async (client: ApiClient) =>
        (await client.send('GET', '/api/mappings')).body as { meta: { total: number } };
      expect((await list(as('olivia'))).meta.total).toBe((await list(olivia!)).meta.total - 1);
    });
  });

  it('runs at a lower priority, and removes the read models of one that was killed', async () => {
    const home = await mkdtemp(join(tmpdir(), 'rowgraph-'));
    const words = ['time-machine', '--as-of', await positionNow(), '--port', '0'];
    let priority = 0;
    await killedProgram(home, words, api.environment, async (pid) => {
      priority = getPriority(pid);
      return (await replaySchemas()) > 0;
    });
    expect(priority).toBe(MAINTENANCE.priority);
    await rm(home, { recursive: true });
    await waitFor('the end of its session', async () => (await replayLocks()) === 0);
    expect(await replaySchemas()).toBe(1);
    await during(await positionNow(), async () => expect(await replaySchemas()).toBe(1));
    expect(await replaySchemas()).toBe(0);
  });

  it('ends with the reason when the connection that holds its lock is lost, and leaves nothing', async () => {
    const printed = { out: '', errors: '' };
    const ended = run(await positionNow(), 0, new AbortController().signal, printed);
    await waitFor('a time machine', () => printed.out !== '');
    await rowsOf(`SELECT pg_terminate_backend(pid) FROM ${REPLAY_LOCKS}`);
    expect(await ended).toMatchObject({
      left: { lines: [expect.stringMatching(/^The time machine failed: the connection .* was lost. Start/)] },
    });
    expect(await replaySchemas()).toBe(0);
  });

  it('is removed after it was killed by every command that opens the log', async () => {
    const context = { terminal: terminalOf({ out: '', errors: '' }), environment: api.environment };
    for (const command of [
      () => rebuild('favorites', context),
      () => firstUser('olivia', context),
      () => newKey('olivia', 'spare', context),
    ]) {
      await rowsOf('CREATE SCHEMA replay_killed');
      await command();
      expect(await replaySchemas()).toBe(0);
    }
  });

  it('exits with 2 for wrong use, and leaves nothing when it is interrupted while it fills', async () => {
    const [on, off] = [new AbortController().signal, AbortSignal.abort()];
    const future = new Date(Date.now() + 3_600_000).toISOString();
    for (const [asOf, port] of [
      ['yesterday', 0],
      ['', 0],
      [future, 0],
      ['999999999', 0],
      ['1', 65_536],
    ] as const) {
      expect(await run(asOf, port, on)).toMatchObject({ left: { exitCode: 2 } });
    }
    expect(await run('1', 0, off)).toMatchObject({ left: { lines: ['The time machine was interrupted.'] } });
    expect(await replaySchemas()).toBe(0);
  });
});
