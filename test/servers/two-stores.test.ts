import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { readSettings } from '../../adapters/start/settings';
import { startSystem } from '../../adapters/start/system';
import { STREAM_CATEGORIES } from '../../domain/events';
import { readSchemaOf } from '../../projections/projection-tables';
import { usersProjection } from '../../projections/users';
import { newEvent, succeeded } from '../contracts/event-store/event-samples';
import { apiClient } from '../support/api-client';
import { createTestPool } from '../support/create-test-pool';
import { freePort } from '../support/free-port';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { admitOliviaAdaAndBob } from '../support/running-system';
import { settingsOfLogOn } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';
import { openStore } from './support/open-store';

jest.setTimeout(200_000);

describeWithEventStore('a start', () => {
  let server: EventStoreServer;
  let database: TestDatabase;
  let folder: string;
  let port: number;
  let ofLog: Readonly<Record<string, string>>;
  let logId: string;
  let lines: string[];
  const url = () => `http://127.0.0.1:${port}`;

  /**
   * Starts a control plane in this process; returns its message if it does not start, else a function that stops it.
   */
  const start = async (more: Readonly<Record<string, string>> = ofLog, { connectionString } = database) => {
    const settings = succeeded(
      readSettings({
        ROWGRAPH_PORT: String(port),
        ROWGRAPH_INTERNAL_PORT: String(await freePort()),
        ROWGRAPH_DATA_DIR: folder,
        ROWGRAPH_DATABASE_URL: connectionString,
        ROWGRAPH_POD_RUNTIME: 'none',
        ROWGRAPH_EMBEDDED_WORKER: 'off',
        ...more,
      }),
    );
    lines = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const started = await startSystem(settings, log);
    return isLeft(started) ? started.left.message : started.right.stop;
  };
  const runThrough = async (use: () => Promise<void>, ...how: Parameters<typeof start>): Promise<void> => {
    const stop = await start(...how);
    if (typeof stop === 'string') throw new Error(stop);
    await use();
    await stop();
  };
  const listUsers = async () => (await apiClient(url(), 'olivia').call('listUsers')).data;

  type Log = ReturnType<typeof openStore>;
  const withLog = async (settings: typeof ofLog, use: (log: Log) => Promise<unknown>): Promise<void> => {
    const prefix = settings['ROWGRAPH_EVENT_STORE_PREFIX'] ?? '';
    const log = openStore(server, { prefix, categories: STREAM_CATEGORIES });
    await use(log);
    await log.close();
  };

  beforeAll(async () => {
    server = await startEventStoreServer();
    ofLog = settingsOfLogOn(server.connectionString);
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-two-stores-'));
    port = await freePort();
    await runThrough(() => admitOliviaAdaAndBob({ as: (username) => apiClient(url(), username) }));
    await withLog(ofLog, async ({ identity }) => {
      logId = succeeded(await identity.read()) ?? '';
    });
  });
  afterAll(async () => {
    await database.drop();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const GIVE_UP = 'rowgraph log adopt';
  const others: readonly [string, () => readonly string[], (log: Log) => Promise<unknown>][] = [
    [
      'another log',
      () => [`follow the log ${logId}`, 'holds the log of-another-system', 'correct the address and prefix', GIVE_UP],
      ({ identity }) => identity.ensure('of-another-system'),
    ],
    ['no log', () => ['has no log of rowgraph', 'Restore that log', GIVE_UP], () => Promise.resolve()],
    [
      'an empty log',
      () => ['is empty', 'Restore a newer backup of the log', GIVE_UP],
      ({ identity }) => identity.ensure(logId),
    ],
    [
      // At the positions of its own events, the server has events of another prefix.
      'the log without the event at a checkpoint',
      () => ['at position', 'Restore a newer backup of the log', GIVE_UP],
      async ({ store, identity }) => {
        await identity.ensure(logId);
        succeeded(await store.append('mapping-1', 'no_stream', [newEvent('MappingDeleted')]));
      },
    ],
  ];
  it.each(others)('a start on %s is rejected with the next step, and changes nothing', async (_, words, prepare) => {
    const other = settingsOfLogOn(server.connectionString);
    await withLog(other, prepare);

    const said = await start(other);

    for (const word of [...words(), server.connectionString.split('?')[0]]) expect(said).toContain(word);
    await runThrough(async () => expect(await listUsers()).toHaveLength(3));
  });

  it('a database without read models adopts the existing log, and rebuilds them from it', async () => {
    const empty = await createTestDatabase();
    const rowsIn = async ({ connectionString }: TestDatabase) => {
      const pool = createTestPool({ connectionString });
      const { rows } = await pool.query(`SELECT * FROM ${readSchemaOf(usersProjection)}.users ORDER BY username`);
      const { rows: followed } = await pool.query('SELECT * FROM es.followed_log');
      await pool.end();
      return { rows, followed };
    };
    await runThrough(async () => expect(await listUsers()).toHaveLength(3), ofLog, empty);

    expect(await rowsIn(empty)).toEqual(await rowsIn(database));
    expect((await rowsIn(empty)).followed).toMatchObject([{ store: 'eventstoredb', log_id: logId }]);
    await empty.drop();
  });

  it('waits for an unavailable server, reports it without its password, and continues when it is available', async () => {
    await server.kill();
    const address = `127.0.0.1:${server.port}`;
    const starting = start({ ...ofLog, ROWGRAPH_EVENT_STORE_URL: `esdb://ada:hunter2@${address}?tls=false` });
    const isOpen = async () =>
      (await apiClient(url(), null)
        .send('GET', '/ready')
        .catch(() => null)) !== null;
    await waitFor('the port is open', isOpen);
    const { status, body } = await apiClient(url(), null).send('GET', '/ready');
    expect([status, body]).toMatchObject([
      503,
      {
        status: 'not_ready',
        trouble: { event_store: expect.stringContaining(`EventStoreDB at esdb://${address}`) as string },
      },
    ]);

    await server.restart();
    const stop = await starting;
    if (typeof stop === 'string') throw new Error(stop);
    expect(await listUsers()).toHaveLength(3);
    await stop();
    expect(lines.join('')).toContain(`EventStoreDB at esdb://${address}`);
    expect(JSON.stringify(body) + lines.join('')).not.toContain('hunter2');
  });
});
