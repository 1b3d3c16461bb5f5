import { type Pool } from 'pg';
import { createPostgresEventStore, listenForAppends } from '../../../adapters/postgres/postgres-event-store';
import { FeedSignal } from '../../../adapters/system/feed-signal';
import { START, type StoredEvent } from '../../../domain/kernel/event';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';

let database: TestDatabase;
let pool: Pool;
let store: ReturnType<typeof createPostgresEventStore>;
const stop = { current: new AbortController() };

const ignore = (): void => undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  const { connectionString } = database;
  pool = createTestPool({ connectionString });
  store = createPostgresEventStore({ pool, connectionString });
  stop.current = new AbortController();
});
afterEach(async () => {
  stop.current.abort();
  await store.close();
  await pool.end();
  await database.drop();
});

const collect = (): { readonly seen: StoredEvent[]; readonly ended: Promise<void> } => {
  const seen: StoredEvent[] = [];
  const ended = (async () => {
    for await (const page of store.subscribeAll(START, { signal: stop.current.signal })) seen.push(...page.events);
  })();
  return { seen, ended };
};

describe('the feed of PostgreSQL', () => {
  it('is notified of appends of another process', async () => {
    const { waitAfter } = FeedSignal.prototype;
    // Without polling: waits end only by a notification.
    const waits = jest.spyOn(FeedSignal.prototype, 'waitAfter').mockImplementation(function (
      this: FeedSignal,
      version,
      _ms,
      signal,
    ) {
      return waitAfter.call(this, version, 3_600_000, signal);
    });
    const { connectionString } = database;
    const otherPool = createTestPool({ connectionString });
    const other = createPostgresEventStore({ pool: otherPool, connectionString });
    const { seen, ended } = collect();
    for (let n = 1; n <= 20; n += 1) {
      succeeded(await other.append('a-1', n === 1 ? 'no_stream' : n - 2, [newEvent()]));
      await waitFor('the reader has received the event', () => seen.length === n);
    }
    stop.current.abort();
    await ended;
    waits.mockRestore();
    await other.close();
    await otherPool.end();
  });

  it('continues after all its connections were lost', async () => {
    const { seen, ended } = collect();
    succeeded(await store.append('a-1', 'no_stream', newEvents(2)));
    await waitFor('the reader has received the first events', () => seen.length === 2);

    await pool
      .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
      .catch(() => undefined);
    succeeded(await store.append('a-1', 1, newEvents(2)));

    await waitFor('the reader has received the later events', () => seen.length === 4);
    expect(seen.map((event) => event.revision)).toEqual([0, 1, 2, 3]);
    stop.current.abort();
    await ended;
  });

  it('stops listening at any time, including while it connects', async () => {
    for (let delayMs = 0; delayMs < 18; delayMs += 0.2) {
      const stopped = new AbortController();
      const listening = listenForAppends(database.connectionString, stopped.signal, ignore, ignore);
      const abort = setTimeout(() => stopped.abort(), delayMs);
      await listening;
      clearTimeout(abort);
    }
  });

  it('reads nothing ahead while its consumer is busy', async () => {
    succeeded(await store.append('a-1', 'no_stream', newEvents(100)));
    const pages = store.subscribeAll(START, { batchSize: 10, signal: stop.current.signal })[Symbol.asyncIterator]();
    await pages.next();

    let queries = 0;
    pool.on('acquire', () => (queries += 1));
    await expect(waitFor('the reader queries without a notification', () => queries > 0, 600)).rejects.toThrow(
      'Timed out',
    );
    await pages.next();
    expect(queries).toBe(1);
  });

  it('scans a bounded part of the log per page, however rare the requested type is', async () => {
    for (let n = 0; n < 25; n += 1) succeeded(await store.append(`a-${n}`, 'no_stream', newEvents(1_000, 'Common')));
    succeeded(await store.append('b-1', 'no_stream', [newEvent('Rare')]));

    const first = succeeded(await store.readAll(START, 10, { types: ['Rare'] }));
    const second = succeeded(await store.readAll(first.position, 10, { types: ['Rare'] }));

    expect(first).toEqual({ events: [], position: '20000' });
    expect(second.events.map((event) => event.position)).toEqual(['25001']);
    expect(second.position).toBe('25001');
  });
});
