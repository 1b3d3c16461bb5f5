import { isLeft, left, right } from 'fp-ts/Either';
import { appendWindows } from '../../../adapters/log-copy/append-in-order';
import { copyLog, positionMapper } from '../../../adapters/log-copy/copy-log';
import { pagesOf } from '../../../adapters/log-copy/log-pages';
import { createPostgresEventStore } from '../../../adapters/postgres/postgres-event-store';
import { type Position, START } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { createRandom } from '../../../pod/graph/algorithms/graph/random';
import { newEvent, succeeded } from '../../contracts/event-store/event-samples';
import { createTestPool } from '../../support/create-test-pool';
import { fakeEventStore } from '../../support/fake-event-store';
import { FakeLogServer } from '../../support/in-memory/fake-log-server';
import { createTestDatabase } from '../../support/postgres';
import { contentOf, emptyLog, eventsOf, fillLog } from './sample-log';

const names = { source: 'the source', target: 'the target' };
const copy = (source: EventStore, target: EventStore, timeoutMs = 0) =>
  copyLog({ source: pagesOf('the source', source), target, names, timeoutMs });

const filledLog = async (appends = 700): Promise<EventStore> => {
  const store = emptyLog();
  await fillLog(store, appends, createRandom(7));
  return store;
};

/** A store whose process ends after some appends. */
const diesAfter = (store: EventStore, appends: number): EventStore => {
  let left_ = appends;
  return {
    ...store,
    append: (...args) =>
      left_-- > 0
        ? store.append(...args)
        : Promise.resolve(left({ kind: 'unavailable', reason: 'it was killed' } as const)),
  };
};

const copiedToPostgres = async (source: EventStore, use: (target: EventStore) => Promise<void>): Promise<void> => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 4 });
  const target = createPostgresEventStore({ pool, connectionString: database.connectionString });
  try {
    succeeded(await copy(source, target, 60_000));
    await use(target);
  } finally {
    await target.close();
    await pool.end();
    await database.drop();
  }
};

describe('a copy of a log', () => {
  it('contains the same events in the same order, and reports their number and hash', async () => {
    const [source, target] = [await filledLog(), emptyLog()];

    const copied = succeeded(await copy(source, target));

    const content = await contentOf(source);
    expect(await contentOf(target)).toEqual(content);
    expect(copied).toMatchObject({ events: content.length, written: content.length });
    expect(copied.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(succeeded(await copy(source, target))).toEqual({ ...copied, written: 0 });
  });

  it('is exact on PostgreSQL for any JSON', async () => {
    const source = await filledLog();
    await copiedToPostgres(source, async (target) => {
      expect(await contentOf(target)).toEqual(await contentOf(source));
    });
  });

  it('the copy of an empty log is empty', async () => {
    expect(succeeded(await copy(emptyLog(), emptyLog()))).toMatchObject({ events: 0, written: 0 });
  });

  it('is resumed after any number of interruptions', async () => {
    const [source, target] = [await filledLog(), emptyLog()];
    const random = createRandom(3);
    let runs = 1;
    while (isLeft(await copy(source, diesAfter(target, Math.floor(random() * 100) + 1)))) runs++;

    expect(runs).toBeGreaterThan(5);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('a second copy of a log that has grown appends the new events', async () => {
    const [source, target] = [await filledLog(50), emptyLog()];
    await copy(source, target);
    succeeded(await source.append('snapshot-1', 'no_stream', [newEvent(), newEvent()]));

    expect(succeeded(await copy(source, target))).toMatchObject({ written: 2 });
  });
});

describe('a target that is not a prefix of the source', () => {
  it('is rejected with the first event that differs, and not changed', async () => {
    const [source, target] = [await filledLog(20), emptyLog()];
    const [first, second] = await eventsOf(source);
    if (first === undefined || second === undefined) throw new Error('The log is too short.');
    succeeded(await target.append(first.streamId, 'no_stream', [first]));
    const other = newEvent('SomethingElse');
    succeeded(await target.append('user-7', 'no_stream', [other]));

    const refused = await copy(source, target);

    expect(refused).toMatchObject({
      left: {
        message: expect.stringContaining(
          `event 2 is event ${second.id} (ThingHappened, ${second.streamId}@${second.revision}) in the source and event ${other.id} (SomethingElse, user-7@0) in the target`,
        ) as string,
      },
    });
    expect(await contentOf(target)).toHaveLength(2);
  });

  it('is rejected when it has events after the end of the source', async () => {
    const [source, target] = [await filledLog(20), emptyLog()];
    await copy(source, target);
    succeeded(await target.append('user-7', 'no_stream', [newEvent()]));

    expect(await copy(source, target)).toMatchObject({
      left: {
        message: expect.stringMatching(/^the target holds more than the source: after \d+ events, event /) as string,
      },
    });
  });
});

it('a copy that reads back different events fails', async () => {
  const [source, target] = [await filledLog(20), emptyLog()];
  const forgetful: EventStore = {
    ...target,
    append: (streamId, expected, [first, ...rest]) =>
      target.append(streamId, expected, [{ ...(first ?? newEvent()), data: 'lost' }, ...rest]),
  };

  expect(await copy(source, forgetful)).toMatchObject({
    left: { message: expect.stringContaining('The copy in the target is not the same log') as string },
  });
});

it('unanswered appends are retried together with all that were sent at the same time, in order', async () => {
  const [source, target] = [await filledLog(300), emptyLog()];
  const random = createRandom(29);
  let isBroken = false;
  let resent = 0;
  const unreliable: EventStore = {
    ...target,
    append: async (...args) => {
      if (!isBroken && random() < 0.005) {
        // The connection breaks: earlier appends were written, later ones were not.
        isBroken = true;
        setImmediate(() => (isBroken = false));
      }
      const outcome = isBroken ? null : await target.append(...args);
      if (outcome !== null && random() < 0.997) return outcome;
      resent++;
      return left({ kind: 'unknown_outcome', streamId: args[0], reason: 'the connection was lost' });
    },
  };

  const copied = await copyLog({
    source: pagesOf('the source', source),
    target: unreliable,
    ordered: true,
    names,
  });

  expect(copied).toMatchObject({ right: { events: succeeded(copied).written } });
  expect(resent).toBeGreaterThan(5);
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

it('unanswered reads are retried', async () => {
  const [source, target] = [await filledLog(20), emptyLog()];
  const answersEverySecondRead = (store: EventStore): EventStore => {
    let isAway = false;
    return {
      ...store,
      readAll: (...args) => {
        isAway = !isAway;
        return isAway
          ? Promise.resolve(left({ kind: 'unavailable', reason: 'it is being restarted' }))
          : store.readAll(...args);
      },
    };
  };

  succeeded(await copy(answersEverySecondRead(source), answersEverySecondRead(target), 60_000));

  expect(await contentOf(target)).toEqual(await contentOf(source));
});

describe('an EventStoreDB that is frozen longer than the request timeout', () => {
  const open = (server: FakeLogServer, timeoutMs: number) =>
    fakeEventStore({ timeoutMs, resends: false, maxAppendBytes: 1024 * 1024 }, server);

  /** The server resumes when a client opens a new connection; this resolves at that moment. */
  const thawed = async (server: FakeLogServer): Promise<void> => {
    while (!server.isFrozen) await server.untilOpened(server.counts.opened + 1);
    server.isFrozen = false;
  };

  it.each([
    ...[0, 1, 2].map((read) => ['source', read] as const),
    ...[0, 1, 2, 3, 4].map((read) => ['target', read] as const),
  ])('is waited for: the %s, at its read %i', async (which, read) => {
    const servers = { source: new FakeLogServer(), target: new FakeLogServer() };
    const [source, target] = [open(servers.source, 100), open(servers.target, 100)];
    const filling = open(servers.source, 60_000);
    await fillLog(filling.store, 20, createRandom(7));
    servers[which].freezeAfterReads(read);
    const goesOn = thawed(servers[which]);

    succeeded(await copy(source.store, target.store, 60_000));

    await goesOn;
    expect(await contentOf(target.store)).toEqual(await contentOf(filling.store));
    await Promise.all([source, target, filling].map(({ close }) => close()));
  });
});

it('a store that reorders appends is detected at once', async () => {
  const source = await filledLog(100);
  const unordered: EventStore = {
    ...emptyLog(),
    append: (streamId) =>
      Promise.resolve(right({ position: String(1_000 - Number(streamId.slice(8))) as Position, revision: 0 })),
  };

  expect(await copy(source, unordered)).toMatchObject({
    left: { message: expect.stringContaining('before events that come earlier') as string },
  });
});

it('positions are mapped to those of the same events in the copy', async () => {
  const [source, target] = [await filledLog(60), emptyLog()];
  const events = succeeded(await source.readAll(START, 100)).events;
  const shifted: EventStore = {
    ...target,
    readAll: async (after, limit) => {
      const page = succeeded(await target.readAll(String(Number(after) / 100) as Position, limit));
      const at = (position: Position): Position => String(Number(position) * 100) as Position;
      return right({
        events: page.events.map((event) => ({ ...event, position: at(event.position) })),
        position: at(page.position),
      });
    },
  };
  const moved = positionMapper(['7' as Position, '60' as Position, START]);

  succeeded(
    await copyLog({
      source: pagesOf('the source', source),
      target: shifted,
      names,
      onSource: moved.seeSource,
      onTarget: moved.seeCopy,
    }),
  );

  expect(events.length).toBeGreaterThanOrEqual(60);
  expect([...moved.result()]).toEqual([
    [START, START],
    ['7', '700'],
    ['60', '6000'],
  ]);
});

describe('concurrent appends', () => {
  it('keep the order of the log, with one at a time per stream where a store reorders them', async () => {
    const events = await eventsOf(await filledLog(300));

    const windows = appendWindows(events, false);

    expect(windows.flat(2)).toEqual(events);
    expect(appendWindows(events, true).flat(2)).toEqual(events);
    expect(appendWindows(events, true).length).toBeLessThan(windows.length);
    for (const window of windows) {
      const streams = window.map(([{ streamId }]) => streamId);
      expect(new Set(streams).size).toBe(streams.length);
    }
  });

  it('contain the consecutive events of a stream, up to 256 KiB', () => {
    const large = Array.from({ length: 5 }, (_, revision) => ({
      ...newEvent('ThingHappened', 'x'.repeat(100 * 1024)),
      streamId: 'mapping-1',
      revision,
    }));

    expect(appendWindows(large, false).map((window) => window.map((group) => group.length))).toEqual([[2], [2], [1]]);
  });
});
