import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { readConnectionTo } from '../../adapters/postgres/connection';
import { migrate } from '../../adapters/postgres/migrate';
import { createPool } from '../../adapters/postgres/pool';
import { createPostgresEventStore } from '../../adapters/postgres/postgres-event-store';
import { START } from '../../domain/kernel/event';
import { isDatabaseAway, openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { newEvent, succeeded } from '../contracts/event-store/event-samples';
import { createMapping } from '../support/instances';
import { startRunningSystem } from '../support/running-system';
import { crowdMapping, fillWarehouse } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import {
  type Address,
  describeWithPostgres,
  openAddress,
  type PostgresServerOnPort,
  startPrimary,
  startStandby,
  urlAt,
} from './support/postgres-servers';

jest.setTimeout(180_000);

const WRITERS = 4;
const READS_AGAIN_WITHIN_MS = 5_000;

describeWithPostgres('appends and reads during outages of PostgreSQL', () => {
  let folder: string;
  let primary: PostgresServerOnPort;
  let standby: PostgresServerOnPort;
  let address: Address;
  let pool: Pool;
  let db: ReadDatabase;
  let store: ReturnType<typeof createPostgresEventStore>;
  const seen: string[] = [];
  const written: string[][] = Array.from({ length: WRITERS }, () => []);
  const [stopWriting, stopReading] = [new AbortController(), new AbortController()];
  let writing: Promise<unknown>;
  let reading: Promise<unknown>;

  /** Appends events one by one; an append without an acknowledgement is repeated, as commands do. */
  const write = async (writer: number): Promise<void> => {
    const acknowledged = written[writer]!;
    while (!stopWriting.signal.aborted) {
      const event = newEvent();
      const append = () =>
        store.append(`writer-${writer}`, acknowledged.length === 0 ? 'no_stream' : acknowledged.length - 1, [event]);
      let outcome = await append();
      while (isLeft(outcome)) {
        expect(['unavailable', 'unknown_outcome']).toContain(outcome.left.kind);
        outcome = await append();
      }
      acknowledged.push(event.id);
    }
  };
  const follow = async (): Promise<void> => {
    for await (const page of store.subscribeAll(START, { signal: stopReading.signal })) {
      seen.push(...page.events.map(({ id }) => id));
    }
  };
  const untilWritersProceed = async (count = 20): Promise<void> => {
    const before = written.map(({ length }) => length);
    const proceed = (): boolean => written.every(({ length }, writer) => length >= before[writer]! + count);
    await waitFor('all writers proceed', proceed, 60_000);
  };
  /** Milliseconds until a read succeeds; every earlier failure must be one that callers get as 503. */
  const untilReadable = async (): Promise<number> => {
    const since = performance.now();
    for (;;) {
      try {
        await db.raw('SELECT count(*) FROM es.events');
        return performance.now() - since;
      } catch (error) {
        expect([isDatabaseAway(error), String(error)]).toEqual([true, expect.any(String)]);
      }
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-failover-'));
    primary = await startPrimary(folder);
    standby = await startStandby(folder, primary);
    address = await openAddress(primary.port);
    const connectionString = urlAt(address.port);
    pool = createPool({ connectionString });
    succeeded(await migrate(pool));
    db = openReadDatabase(readConnectionTo(connectionString));
    store = createPostgresEventStore({ pool, connectionString, timeoutMs: 3_000 });
    reading = follow();
    writing = Promise.all(written.map((_, writer) => write(writer)));
    await untilWritersProceed();
  });
  afterAll(async () => {
    stopWriting.abort();
    stopReading.abort();
    await Promise.allSettled([writing, reading]);
    await store.close();
    await Promise.all([pool.end(), db.destroy()]);
    address.close();
    await Promise.all([primary.end('SIGQUIT'), standby.end('SIGQUIT')]);
    await rm(folder, { recursive: true, force: true });
  });

  it('continue after their connections were cut', async () => {
    for (let time = 0; time < 10; time++) {
      address.cut();
      await untilWritersProceed(3);
      expect(await untilReadable()).toBeLessThan(READS_AGAIN_WITHIN_MS);
    }
  });

  it('continue after an administrator terminated their processes', async () => {
    for (let time = 0; time < 5; time++) {
      const mine = "application_name = 'rowgraph' AND backend_type = 'client backend'";
      await primary.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${mine}`);
      await untilWritersProceed(3);
      expect(await untilReadable()).toBeLessThan(READS_AGAIN_WITHIN_MS);
    }
  });

  it.each(['SIGINT', 'SIGQUIT'] as const)('continue after a restart by %s', async (signal) => {
    await primary.end(signal);
    await primary.start();
    expect(await untilReadable()).toBeLessThan(READS_AGAIN_WITHIN_MS);
    await untilWritersProceed();
  });

  it('continue on the promoted standby, and never on one that is not promoted', async () => {
    await waitFor('the standby replicates again', async () => {
      const rows = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
    await untilWritersProceed();
    await primary.end('SIGQUIT');
    address.pointAt(standby.port);
    address.cut();
    await expect(db.raw('SELECT 1')).rejects.toThrow(/standby/);
    await standby.query('SELECT pg_promote()');
    expect(await untilReadable()).toBeLessThan(READS_AGAIN_WITHIN_MS);
    await untilWritersProceed();
  });

  it('lose and repeat no event', async () => {
    stopWriting.abort();
    await writing;
    const ids = written.flat();
    await waitFor('the reader has received every event', () => seen.length >= ids.length);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    for (const [writer, expected] of written.entries()) {
      const events = succeeded(await store.readStream(`writer-${writer}`));
      expect(events.map(({ id }) => id)).toEqual(expected);
    }
  });
});

describeWithPostgres('a running system whose PostgreSQL fails over', () => {
  it('answers reads again within 5 s, and keeps what it acknowledged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-failover-'));
    const primary = await startPrimary(folder);
    const standby = await startStandby(folder, primary);
    const address = await openAddress(primary.port);
    const settings = { ROWGRAPH_DATABASE_URL: urlAt(address.port), ROWGRAPH_DATABASE_CONNECT_TIMEOUT: '5s' };
    const system = await startRunningSystem(fillWarehouse, settings);
    const ada = system.as('ada');
    const first = await createMapping(ada, crowdMapping);
    await primary.end('SIGQUIT');
    address.pointAt(standby.port);
    address.cut();
    await standby.query('SELECT pg_promote()');
    const since = performance.now();
    const isReadable = (id: number): Promise<boolean> =>
      ada.call('getMapping', { id }).then(
        () => true,
        () => false,
      );
    await waitFor('the API returns the mapping', () => isReadable(first));
    expect(performance.now() - since).toBeLessThan(READS_AGAIN_WITHIN_MS);
    const created: number[] = [];
    await waitFor('a mapping can be created', async () => {
      await createMapping(ada, crowdMapping).then(
        (id) => created.push(id),
        () => undefined,
      );
      return created.length > 0;
    });
    expect(await Promise.all(created.map(isReadable))).toEqual([true]);
    await system.close();
    address.close();
    await Promise.all([primary.end('SIGQUIT'), standby.end('SIGQUIT')]);
    await rm(folder, { recursive: true, force: true });
  });
});
