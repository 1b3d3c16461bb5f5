import { isRight, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { AppendWriter } from '../../../adapters/postgres/append-writer';
import { createPostgresEventStore } from '../../../adapters/postgres/postgres-event-store';
import { withTimeLimit } from '../../../adapters/system/time-limit';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { openUnreliableConnection, type UnreliableConnection } from './unreliable-connection';

let database: TestDatabase;
let connection: UnreliableConnection;
let pool: Pool;
let store: ReturnType<typeof createPostgresEventStore>;

beforeEach(async () => {
  database = await createTestDatabase();
  connection = await openUnreliableConnection(database.connectionString);
  const { connectionString } = connection;
  pool = createTestPool({ connectionString, max: 4 });
  store = createPostgresEventStore({ pool, connectionString, timeoutMs: 30_000 });
});
afterEach(async () => {
  await store.close();
  await pool.end();
  await connection.close();
  await database.drop();
});

const onDatabase = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
  const direct = createTestPool({ connectionString: database.connectionString, max: 1 });
  try {
    return (await direct.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await direct.end();
  }
};

describe('the writer', () => {
  it('continues after a bug in the outcome of a batch, whose appends may have been written', async () => {
    let bugs = 1;
    const onAppended = (): void => {
      if (bugs-- > 0) throw new Error('a bug');
    };
    const writer = new AppendWriter({ pool, onAppended, timeoutMs: 30_000 });
    expect(await writer.append('a-1', 'no_stream', newEvents(1))).toEqual(
      left({ kind: 'unknown_outcome', streamId: 'a-1', reason: 'Error: a bug' }),
    );
    expect(await writer.append('a-2', 'no_stream', newEvents(1))).toEqual(right({ position: '2', revision: 0 }));
    await writer.close();
  });
});

describe('appending over a connection that is lost', () => {
  it.each(['before', 'after'] as const)('writes exactly once when it was lost %s the server wrote', async (when) => {
    const events = newEvents(2);
    if (when === 'before') connection.cutBeforeAppend();
    else connection.cutAfterAppend();

    expect(await store.append('a-1', 'no_stream', events)).toEqual(right({ position: '2', revision: 1 }));
    expect(await onDatabase('SELECT count(*)::int AS n FROM es.events')).toEqual([{ n: 2 }]);
  });

  it('returns each append of a batch its own outcome', async () => {
    succeeded(await store.append('a-1', 'no_stream', [newEvent()]));
    connection.cutAfterAppend();

    const outcomes = await Promise.all([
      store.append('a-1', 'no_stream', [newEvent()]),
      store.append('a-2', 'no_stream', [newEvent()]),
      store.append('a-1', 0, [newEvent()]),
    ]);

    expect(outcomes).toEqual([
      left({ kind: 'wrong_expected_revision', streamId: 'a-1', actual: 0 }),
      right({ position: '2', revision: 0 }),
      right({ position: '3', revision: 1 }),
    ]);
  });

  it('returns an unknown outcome when the server stays unreachable', async () => {
    connection.cutAfterAppend();
    connection.stayCut();

    const appended = withTimeLimit(1_000, () => store.append('a-1', 'no_stream', [newEvent()]));
    expect(await appended).toMatchObject(left({ kind: 'unknown_outcome', streamId: 'a-1' }));
  });

  it('returns an unknown outcome when it was repeated after a lost answer, and rejected', async () => {
    await onDatabase(`
      CREATE FUNCTION es.reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM es.events) THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER reject BEFORE INSERT ON es.events FOR EACH STATEMENT EXECUTE FUNCTION es.reject()`);
    connection.cutAfterAppend();

    expect(await store.append('a-1', 'no_stream', [newEvent()])).toEqual(
      left({ kind: 'unknown_outcome', streamId: 'a-1', reason: 'SQLSTATE 53100 (the disk is full)' }),
    );
    expect(await onDatabase('SELECT count(*)::int AS n FROM es.events')).toEqual([{ n: 1 }]);
  });

  it('ends within the timeout of its request, and continues for the others of the batch', async () => {
    connection.cutAfterAppend();
    connection.stayCut();
    let longIsOver = false;
    const short = withTimeLimit(2_000, () => store.append('a-1', 'no_stream', [newEvent()]));
    const long = withTimeLimit(6_000, () => store.append('a-2', 'no_stream', [newEvent()]));
    void long.then(() => (longIsOver = true));

    expect(await short).toMatchObject(left({ kind: 'unknown_outcome', streamId: 'a-1' }));
    expect(longIsOver).toBe(false);
    expect(await long).toMatchObject(left({ kind: 'unknown_outcome', streamId: 'a-2' }));
  });

  it('returns unavailable, and writes nothing, when the server was never reachable', async () => {
    await connection.close();

    const appended = withTimeLimit(1_000, () => store.append('a-1', 'no_stream', [newEvent()]));
    expect(await appended).toMatchObject(left({ kind: 'unavailable' }));
    expect(await onDatabase('SELECT * FROM es.events')).toEqual([]);
  });
});

describe('appending in batches', () => {
  it('sends waiting appends as one transaction with dense positions', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.append(`a-${n}`, 'no_stream', [newEvent()])),
    );

    expect(outcomes.every(isRight)).toBe(true);
    expect(
      await onDatabase('SELECT count(DISTINCT xmin::text)::int AS n, max(position) AS last FROM es.events'),
    ).toEqual([{ n: 1, last: '100' }]);
  });

  it('rejects only the append with data that the database cannot store, not others of its batch', async () => {
    const [impossible, possible] = await Promise.all([
      store.append('a-1', 'no_stream', [{ ...newEvent(), id: 'no uuid' }]),
      store.append('a-2', 'no_stream', [newEvent()]),
    ]);

    expect(impossible).toMatchObject(left({ kind: 'unavailable' }));
    expect(possible).toEqual(right({ position: '1', revision: 0 }));
  });

  it('rejects an append that is too large, with both sizes', async () => {
    const huge = newEvent('Noted', { text: 'x'.repeat(17 * 1024 * 1024) });

    expect(await store.append('a-1', 'no_stream', [huge])).toMatchObject(
      left({ kind: 'too_large', streamId: 'a-1', maxBytes: 16 * 1024 * 1024 }),
    );
  });

  it('accepts an append of 8 MiB', async () => {
    const large = newEvent('Noted', { text: 'ü'.repeat(4 * 1024 * 1024) });

    expect(await store.append('a-1', 'no_stream', [large])).toEqual(right({ position: '1', revision: 0 }));
  });

  it('returns unavailable after the store is closed and the pending appends have ended', async () => {
    const underWay = store.append('a-1', 'no_stream', [newEvent()]);
    await store.close();

    expect(await underWay).toEqual(right({ position: '1', revision: 0 }));
    expect(await store.append('a-2', 'no_stream', [newEvent()])).toMatchObject(left({ kind: 'unavailable' }));
  });
});
