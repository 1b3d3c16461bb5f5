import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { createEventStoreDbEventStore } from '../../adapters/eventstoredb/eventstoredb-event-store';
import { pagesOf } from '../../adapters/log-copy/log-pages';
import { createPostgresLogIdentity } from '../../adapters/postgres/event-reader';
import { recordFollowedLog } from '../../adapters/postgres/followed-log';
import { createPostgresEventStore } from '../../adapters/postgres/postgres-event-store';
import { releaseLeases } from '../../adapters/postgres/postgres-process-work';
import { STREAM_CATEGORIES } from '../../domain/events';
import { START, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { createRandom } from '../../pod/graph/algorithms/graph/random';
import { contentOf, fillLog } from '../adapters/log-copy/sample-log';
import { newEvent, succeeded } from '../contracts/event-store/event-samples';
import { type CommandLine, commandProgram, killedProgram } from '../support/command-line';
import { createTestPool } from '../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { SEED } from '../support/seed';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';

jest.setTimeout(400_000);
const random = createRandom(SEED);

interface Followed {
  readonly store: string;
  readonly log_id: string;
  readonly copy_store: string | null;
}

describeWithEventStore('a log copied between PostgreSQL and a real EventStoreDB', () => {
  let server: EventStoreServer;
  let database: TestDatabase;
  let home: string;
  let pool: Pool;
  let postgres: EventStore & { close(): Promise<void> };
  let eventStoreDb: ReturnType<typeof createEventStoreDbEventStore>;
  let environment: Readonly<Record<string, string>>;
  let run: CommandLine;

  const openEventStoreDb = (prefix: string) =>
    createEventStoreDbEventStore({
      connectionString: server.connectionString,
      prefix,
      categories: STREAM_CATEGORIES,
      timeoutMs: 8_000,
      maxAppendBytes: 1024 * 1024,
    });

  beforeAll(async () => {
    server = await startEventStoreServer();
    database = await createTestDatabase();
    home = await mkdtemp(join(tmpdir(), 'rowgraph-log-copy-'));
    pool = createTestPool({ connectionString: database.connectionString });
    postgres = createPostgresEventStore({ pool, connectionString: database.connectionString });
    eventStoreDb = openEventStoreDb('moved.');
    environment = {
      ROWGRAPH_DATA_DIR: join(home, 'data'),
      ROWGRAPH_DATABASE_URL: database.connectionString,
      ROWGRAPH_EVENT_STORE: 'eventstoredb',
      ROWGRAPH_EVENT_STORE_URL: server.connectionString,
      ROWGRAPH_EVENT_STORE_PREFIX: 'moved.',
    };
    const program = commandProgram(home);
    run = (words, options = {}) =>
      program(words, { ...options, environment: { ...environment, ...options.environment } });
    succeeded(await createPostgresLogIdentity(pool).ensure('the-log'));
    await recordFollowedLog(pool, { store: 'postgres', logId: 'the-log', copy: null });
    await fillLog(postgres, 3_000, random);
  });
  afterAll(async () => {
    await eventStoreDb.close();
    await postgres.close();
    await pool.end();
    await database.drop();
    await server.stop();
    await rm(home, { recursive: true });
  });

  /** Runs a command and kills it by `kill -9` as soon as a condition holds. */
  const killedRun = async (words: readonly string[], isTime: () => Promise<boolean>): Promise<void> => {
    await killedProgram(home, words, environment, isTime);
    // As if the nine-second lease of the killed run had expired.
    await releaseLeases(pool);
  };

  /** Whether a store has this many events. */
  const hasEvents = (store: EventStore, count: number): (() => Promise<boolean>) => {
    let [seen, after] = [0, START];
    return async () => {
      const page = succeeded(await store.readAll(after, 1_000));
      [seen, after] = [seen + page.events.length, page.position];
      return seen > count;
    };
  };

  const eventsAt = async (store: EventStore, ordinals: readonly number[]): Promise<readonly StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for await (const page of pagesOf('the log', store)) events.push(...succeeded(page));
    return ordinals.map((ordinal) => events.at(ordinal)).filter((event) => event !== undefined);
  };

  const readers = async () => ({
    checkpoints: (await pool.query('SELECT name, position FROM es.subscriptions ORDER BY name')).rows,
    parked: (await pool.query('SELECT position FROM es.parked ORDER BY position')).rows,
    followed: (await pool.query<Followed>('SELECT store, log_id, copy_store FROM es.followed_log')).rows,
  });

  /** The events that readers receive from the start, the tenth and the last event of a store. */
  const readersIn = async (store: EventStore, kind: string) => {
    const [tenth, twentieth, last] = await eventsAt(store, [9, 19, -1]);
    return {
      checkpoints: [
        { name: 'new', position: '0' },
        { name: 'processes', position: tenth?.position },
        { name: 'users', position: last?.position },
      ],
      parked: [{ position: tenth?.position }, { position: twentieth?.position }],
      followed: [{ store: kind, log_id: 'the-log', copy_store: null }],
    };
  };

  it('is copied in both directions through kill -9, with checkpoints and parked events', async () => {
    const last = succeeded(await postgres.head());
    await pool.query(
      `INSERT INTO es.subscriptions (name, version, position) VALUES ('new', 1, 0), ('processes', 1, 10), ('users', 1, $1)`,
      [last],
    );
    await pool.query(
      `INSERT INTO es.parked (reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type)
       SELECT 'users', 1, 0, 'user-1', position, 'user-1', position, 'UserRenamed' FROM unnest('{10,20}'::int[]) position`,
    );
    const there = ['log', 'copy', '--from', 'postgres', '--to', 'eventstoredb'];
    const content = await contentOf(postgres);
    for (const part of [0, 1, 2]) {
      await killedRun(there, hasEvents(eventStoreDb.store, ((part + random()) / 3.3) * content.length));
      const half = { store: 'postgres', log_id: 'the-log', copy_store: 'eventstoredb' };
      expect((await readers()).followed).toEqual([half]);
    }

    const copied = await run([...there, '--json']);
    expect(copied).toMatchObject({ code: 0 });
    expect(await contentOf(eventStoreDb.store)).toEqual(content);
    expect(JSON.parse(copied.out)).toMatchObject({ events: content.length });
    expect(succeeded(await eventStoreDb.identity.read())).toBe('the-log');
    expect(await readers()).toEqual(await readersIn(eventStoreDb.store, 'eventstoredb'));
    expect((await run(there)).out).toContain('The log is in eventstoredb already; nothing was copied.');

    const events = [newEvent('MappingRenamed'), newEvent('MappingRenamed')];
    const added = succeeded(await eventStoreDb.store.append('mapping-9001', 'no_stream', events));
    await pool.query(`UPDATE es.subscriptions SET position = $1 WHERE name = 'users'`, [added.position]);
    const back = ['log', 'copy', '--from', 'eventstoredb', '--to', 'postgres'];
    await killedRun(back, async () => {
      const [followed] = (await readers()).followed;
      return followed?.copy_store === 'postgres' || followed?.store === 'postgres';
    });

    const returned = await run([...back, '--json']);
    expect(returned).toMatchObject({ code: 0 });
    expect(await contentOf(postgres)).toEqual(await contentOf(eventStoreDb.store));
    expect(JSON.parse(returned.out)).toMatchObject({ events: content.length + 2 });
    expect(await readers()).toEqual(await readersIn(postgres, 'postgres'));
  });

  const copyTo = (prefix: string) =>
    run(['log', 'copy', '--from', 'postgres', '--to', 'eventstoredb'], {
      environment: { ROWGRAPH_EVENT_STORE_PREFIX: prefix },
    });

  it('is rejected when the target is the log of another system or not empty', async () => {
    const other = openEventStoreDb('other.');
    succeeded(await other.identity.ensure('another-log'));
    expect(await copyTo('other.')).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'The log in eventstoredb is that of another system (another-log; this one is the-log). Copy into an empty one',
      ) as string,
    });
    await other.close();

    const strange = openEventStoreDb('strange.');
    succeeded(await strange.store.append('mapping-1', 'no_stream', [newEvent()]));
    expect((await copyTo('strange.')).errors).toContain('eventstoredb does not hold a part of this log: event 1 is');
    expect(await contentOf(strange.store)).toHaveLength(1);
    await strange.close();
    expect((await readers()).followed).toEqual([{ store: 'postgres', log_id: 'the-log', copy_store: null }]);
  });

  it('is rejected when it lacks the event at a checkpoint', async () => {
    await pool.query(`INSERT INTO es.subscriptions (name, version, position) VALUES ('ahead', 1, 99999999)`);

    expect((await copyTo('ahead.')).errors).toContain(
      'the checkpoint of ahead is at position 99999999, where the log in postgres has no event: the read models do not match the log.',
    );
    await pool.query(`DELETE FROM es.subscriptions WHERE name = 'ahead'`);
  });

  it('requires the address of an unknown store', async () => {
    const { ROWGRAPH_DATABASE_URL = '', ROWGRAPH_DATA_DIR = '' } = environment;
    const ended = await commandProgram(home)(['log', 'copy', '--from', 'postgres', '--to', 'eventstoredb'], {
      environment: { ROWGRAPH_DATABASE_URL, ROWGRAPH_DATA_DIR },
    });
    expect(ended).toMatchObject({
      code: 1,
      errors:
        'The address of EventStoreDB is missing. Set ROWGRAPH_EVENT_STORE=eventstoredb and ROWGRAPH_EVENT_STORE_URL for this command.\n',
    });
  });
});
