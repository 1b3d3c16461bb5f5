import { isLeft, left, right } from 'fp-ts/Either';
import { readFollowedLog, recordFollowedLog, verifyLog } from '../../../adapters/postgres/followed-log';
import { type Position, START, type StoredEvent } from '../../../domain/kernel/event';
import { type EventStore, type LogIdentity } from '../../../domain/ports/event-store';
import { newEvent } from '../../contracts/event-store/event-samples';
import { poolOfEachTest } from '../../support/pool-of-each-test';

const elsewhere = { kind: 'eventstoredb', name: 'EventStoreDB at esdb://log.example:2113' } as const;
const inDatabase = { kind: 'postgres', name: 'PostgreSQL' } as const;

const eventAt = (position: Position): StoredEvent => ({
  ...newEvent(),
  ...{ streamId: 'mapping-1', revision: 0, position, recordedAt: '' },
});

/** A log with this id and events at these positions. */
const logWith = (logId: string | null, positions: readonly number[]) => {
  let id = logId;
  const identity: LogIdentity = {
    read: () => Promise.resolve(right(id)),
    ensure: (wanted) => Promise.resolve(right((id ??= wanted))),
  };
  const head = String(positions.at(-1) ?? START) as Position;
  const store: Pick<EventStore, 'head' | 'readAt'> = {
    head: () => Promise.resolve(right(head)),
    readAt: (position) => Promise.resolve(right(positions.includes(Number(position)) ? eventAt(position) : null)),
  };
  return { identity, store };
};

const database = poolOfEachTest();

const readersAt = async (...positions: readonly number[]): Promise<void> => {
  for (const [n, position] of positions.entries()) {
    await database.pool.query('INSERT INTO es.subscriptions (name, version, position) VALUES ($1, 1, $2)', [
      `r${n}`,
      position,
    ]);
  }
};

/** The message of the start; empty if the start succeeds. */
const said = async (
  log: ReturnType<typeof logWith>,
  where: typeof elsewhere | typeof inDatabase = elsewhere,
): Promise<string> => {
  const agreed = await verifyLog(database.pool, { ...log, ...where });
  if (!isLeft(agreed)) return '';
  return agreed.left.kind === 'refused' ? agreed.left.message : `away: ${agreed.left.reason}`;
};

describe('a log that is followed', () => {
  test('a new log gets an id, which is recorded', async () => {
    const log = logWith(null, []);
    expect(await said(log)).toBe('');
    const logId = await log.identity.read();
    expect(right((await readFollowedLog(database.pool))?.logId)).toEqual(logId);
    expect(await readFollowedLog(database.pool)).toMatchObject({ store: 'eventstoredb', copy: null });
    expect(await said(log)).toBe('');
  });

  test('a log is adopted with its id by a database without read models', async () => {
    await readersAt(0);
    expect(await said(logWith('a', [300, 900]))).toBe('');
    expect(await readFollowedLog(database.pool)).toEqual({ store: 'eventstoredb', logId: 'a', copy: null });
  });

  test('a log of an older version in the same database is followed', async () => {
    await readersAt(7);
    expect(await said(logWith(null, [7, 8]), inDatabase)).toBe('');
    expect(await readFollowedLog(database.pool)).toMatchObject({ store: 'postgres' });
  });

  test('the recorded log with an event at every checkpoint is followed', async () => {
    await recordFollowedLog(database.pool, { store: 'eventstoredb', logId: 'a', copy: null });
    await readersAt(300, 900, 0);
    expect(await said(logWith('a', [300, 900, 1200]))).toBe('');
  });
});

describe('a log that is rejected with the next step', () => {
  const record = (copy: Parameters<typeof recordFollowedLog>[1]['copy'] = null) =>
    recordFollowedLog(database.pool, { store: 'eventstoredb', logId: 'a', copy });

  test('a different log is rejected', async () => {
    await record();
    const words = await said(logWith('b', [300]));
    expect(words).toContain('follow the log a, and EventStoreDB at esdb://log.example:2113 holds the log b');
    expect(words).toContain('rowgraph log adopt');
  });

  test('a log without an id is rejected when another one was recorded', async () => {
    await record();
    expect(await said(logWith(null, []))).toContain('has no log of rowgraph');
  });

  test('the other store is rejected', async () => {
    await record();
    expect(await said(logWith('a', [300]), inDatabase)).toContain('Set ROWGRAPH_EVENT_STORE=eventstoredb');
  });

  test('an incomplete copy is rejected, unlike the original log', async () => {
    await recordFollowedLog(database.pool, {
      store: 'postgres',
      logId: 'a',
      copy: { store: 'eventstoredb', logId: 'a' },
    });
    expect(await said(logWith('a', [300]))).toContain('is not complete');
    expect(await said(logWith('a', [300]), inDatabase)).toBe('');
  });

  test('an external log is rejected when read models exist without a recorded log', async () => {
    await readersAt(7);
    expect(await said(logWith(null, []))).toContain('rowgraph log copy --from postgres --to eventstoredb');
    expect(await readFollowedLog(database.pool)).toBeNull();
  });

  test('a log with later positions is rejected when it has no events at the checkpoints', async () => {
    await record();
    await readersAt(300, 901);
    expect(await said(logWith('a', [300, 900, 1200]))).toContain('has no event of rowgraph at position 901');
  });

  test('an empty log is rejected when read models exist', async () => {
    await record();
    await readersAt(300);
    expect(await said(logWith('a', []))).toContain('is empty');
  });
});

test('the start waits for a log that does not answer', async () => {
  const silent = () => Promise.resolve(left({ kind: 'unavailable' as const, reason: 'no server' }));
  const log = { ...logWith(null, []), identity: { ...logWith(null, []).identity, read: silent } };
  expect(await said(log)).toBe('away: no server');
});
