import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { largestField } from '../../../commands/kit/append-decided';
import { type CommandContext } from '../../../commands/kit/command-context';
import { handleCommand, requireRevision } from '../../../commands/kit/handle-command';
import { loadStream } from '../../../commands/kit/load-stream';
import { StreamCache } from '../../../commands/kit/stream-cache';
import { deciderOf } from '../../../domain/kernel/decider';
import { domainError } from '../../../domain/kernel/errors';
import { eventSpec } from '../../../domain/kernel/event-catalogue';
import { type AppendError, type EventStore } from '../../../domain/ports/event-store';
import { expectLeft, expectRight, NOON } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';

const catalogue = { Added: eventSpec(t.strict({ amount: t.number })) };
type Added = { readonly type: 'Added'; readonly data: { readonly amount: number } };

interface Add {
  readonly type: 'Add';
  readonly amount: number;
}

/** A counter that rejects values above 100 and appends nothing for 0. */
const counters = {
  catalogue,
  decider: deciderOf<Add, Added, number>()({
    initial: 0,
    decide: {
      Add: ({ amount }, total) => {
        if (total + amount > 100) return left(domainError('INVALID_STATE', 'full'));
        return right(amount === 0 ? [] : [{ type: 'Added', data: { amount } }]);
      },
    },
    evolve: (total, { data }) => total + data.amount,
  }),
};

const clock = { now: () => NOON };
const ids = createInMemoryIdGenerator();
const context = (commandId = ids.uuid()): CommandContext => ({
  actor: { username: 'ada', role: 'analyst' },
  commandId,
  correlationId: 'request-1',
  causationId: commandId,
});

describe.each([
  ['a command', () => undefined],
  ['a command on a cached stream', () => new StreamCache()],
])('handling %s', (_, cacheOf) => {
  let store: EventStore;
  let streams: StreamCache | undefined;
  beforeEach(() => {
    store = createInMemoryEventStore(clock);
    streams = cacheOf();
  });
  const add = (amount: number, commandContext = context(), within: EventStore = store) =>
    handleCommand(
      { store: within, clock, ids, ...(streams && { streams }) },
      counters,
      'counter-1',
      { type: 'Add', amount },
      commandContext,
    );
  const events = async () => expectRight(await store.readStream('counter-1'));

  it('appends the decided events, with actor, time and reason', async () => {
    const commandContext = context();
    const { state, position, occurredAt } = expectRight(await add(5, commandContext));
    const [event] = await events();
    expect({ state, occurredAt }).toEqual({ state: 5, occurredAt: '2026-03-01T12:00:00.000Z' });
    expect(event).toMatchObject({
      type: 'Added',
      schemaVersion: 1,
      position,
      metadata: {
        commandId: commandContext.commandId,
        correlationId: 'request-1',
        actor: 'ada',
        role: 'analyst',
        occurredAt: '2026-03-01T12:00:00.000Z',
      },
    });
  });

  it('decides on all earlier events', async () => {
    await add(60);
    expect(expectLeft(await add(60)).code).toBe('INVALID_STATE');
    expect(expectRight(await add(40)).state).toBe(100);
  });

  it('appends nothing for a command without a change, and returns the position of the aggregate', async () => {
    const written = expectRight(await add(5));
    expect(expectRight(await add(0))).toEqual(written);
    expect(await events()).toHaveLength(1);
  });

  it('changes nothing when it is repeated under the same id, even when it would be rejected now', async () => {
    const same = context();
    const first = expectRight(await add(60, same));
    expect(expectRight(await add(60, same))).toEqual(first);
    expect(await events()).toHaveLength(1);
  });

  it('decides again after a revision conflict', async () => {
    await Promise.all(Array.from({ length: 15 }, () => add(10)));
    const total = (await events()).map(({ data }) => (data as Added['data']).amount).reduce((a, b) => a + b, 0);
    expect(total).toBe(100);
  });

  it('recognises its earlier events by revisions, wherever the stream starts', async () => {
    const same = context();
    const first = expectRight(await add(5, same));
    expectRight(await add(7));
    const shifted: EventStore = {
      ...store,
      readStream: async (...args) =>
        right(
          expectRight(await store.readStream(...args)).map((event) => ({ ...event, revision: event.revision + 10 })),
        ),
    };
    expect(expectRight(await add(5, same, shifted))).toEqual(first);
  });

  it('waits after each revision conflict, depending on their number', async () => {
    const lost: number[] = [];
    const losing: EventStore = {
      ...store,
      append: (streamId, ...rest) =>
        lost.length < 3
          ? Promise.resolve(left({ kind: 'wrong_expected_revision', streamId, actual: null }))
          : store.append(streamId, ...rest),
    };
    const afterLostRace = (count: number): Promise<void> => {
      lost.push(count);
      return Promise.resolve();
    };
    const ports = { store: losing, clock, ids, afterLostRace };
    expectRight(await handleCommand(ports, counters, 'counter-1', { type: 'Add', amount: 1 }, context()));
    expect(lost).toEqual([1, 2, 3]);
  });

  it('gives up after fifty revision conflicts and reports that nothing was written', async () => {
    let appends = 0;
    const busy: EventStore = {
      ...store,
      append: (streamId) => {
        appends += 1;
        return Promise.resolve(left({ kind: 'wrong_expected_revision', streamId, actual: appends }));
      },
    };
    expect(expectLeft(await add(1, context(), busy)).code).toBe('CONFLICT');
    expect(appends).toBe(50);
  });

  it('rejects a broken stream instead of treating its rest as complete', async () => {
    const broken = { kind: 'broken_stream', streamId: 'counter-1', reason: 'it begins at revision 3' } as const;
    const error = expectLeft(await add(1, context(), { ...store, readStream: () => Promise.resolve(left(broken)) }));
    expect(error.code).toBe('INTERNAL_ERROR');
    expect(error.message).toContain('counter-1: it begins at revision 3');
    expect(await events()).toEqual([]);
  });

  it('rejects an event that this version cannot read', async () => {
    const metadata = { ...context(), actor: 'ada', role: 'analyst', occurredAt: NOON.toISOString() };
    const stranger = { id: ids.uuid(), type: 'Multiplied', schemaVersion: 1, data: {}, metadata };
    expectRight(await store.append('counter-1', 'no_stream', [stranger]));
    const error = expectLeft(await add(1));
    expect(error.code).toBe('INTERNAL_ERROR');
    expect(error.message).toMatch(/Multiplied v1 at position 1 \(counter-1@0\)/);
  });

  const failures: readonly (readonly [AppendError, string, RegExp])[] = [
    [{ kind: 'unavailable', reason: 'refused' }, 'SERVICE_UNAVAILABLE', /Nothing was changed/],
    [
      { kind: 'unknown_outcome', streamId: 'counter-1', reason: 'reset' },
      'SERVICE_UNAVAILABLE',
      /may or may not be stored/,
    ],
    [{ kind: 'broken_stream', streamId: 'counter-1', reason: 'truncated' }, 'INTERNAL_ERROR', /counter-1: truncated/],
    [{ kind: 'too_large', streamId: 'counter-1', bytes: 9, maxBytes: 8 }, 'PAYLOAD_TOO_LARGE', /maximum is 8/],
  ];
  it('reports the field that makes an append too large, under its name in requests', async () => {
    const failure = { kind: 'too_large', streamId: 'counter-1', bytes: 9, maxBytes: 8 } as const;
    const error = expectLeft(await add(1, context(), { ...store, append: () => Promise.resolve(left(failure)) }));
    expect(error.details).toEqual({ max_bytes: 8, field: 'amount' });
    const sized = (data: unknown) => ({ id: '1', type: 'X', schemaVersion: 1, data, metadata: {} as never });
    expect(largestField([sized({ name: 'short', nodeDefinitions: [{ sql: 'SELECT 1' }] }), sized(null)])).toBe(
      'node_definitions',
    );
  });

  it('reports the field with text that no store can keep, under its name in requests', async () => {
    const failure = { kind: 'invalid_text', streamId: 'counter-1', field: 'data.nodeDefinitions[0].sql' } as const;
    const error = expectLeft(await add(1, context(), { ...store, append: () => Promise.resolve(left(failure)) }));
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'node_definitions.0.sql' } });
  });

  it.each(failures)('explains $kind', async (failure, code, words) => {
    const error = expectLeft(await add(1, context(), { ...store, append: () => Promise.resolve(left(failure)) }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
  });
});

describe('a command on a cached stream', () => {
  const inner = createInMemoryEventStore(clock);
  const reads: (number | undefined)[] = [];
  const store: EventStore = {
    ...inner,
    readStream: (streamId, options) => {
      reads.push(options?.fromRevision);
      return inner.readStream(streamId, options);
    },
  };
  const streams = new StreamCache();
  const add = async (streamId: string, amount: number, within: object = { streams }, commandContext = context()) => {
    reads.length = 0;
    const command = { type: 'Add', amount } as const;
    return handleCommand({ store, clock, ids, ...within }, counters, streamId, command, commandContext);
  };

  it('reads only later events, and none when the cache is current', async () => {
    expectRight(await add('counter-1', 1));
    expect(reads).toEqual([0]);
    expect(expectRight(await add('counter-1', 2)).state).toBe(3);
    expect(reads).toEqual([]);
    expectRight(await add('counter-1', 10, {}));
    expect(expectRight(await add('counter-1', 20)).state).toBe(33);
    expect(reads).toEqual([2]);
    expectRight(await add('counter-2', 1));
    expect(reads).toEqual([0]);
  });

  it('is neither rejected nor skipped because of an outdated cache', async () => {
    expectRight(await add('counter-6', 90));
    expectRight(await add('counter-6', -50, {}));
    expect(expectRight(await add('counter-6', 20)).state).toBe(60);
    expect(reads).toEqual([1]);
    expectRight(await add('counter-6', 30, {}));
    expect(expectRight(await add('counter-6', 0)).state).toBe(90);
    expect(reads).toEqual([3]);
  });

  it('is not rejected by a precondition on an outdated cache', async () => {
    expectRight(await add('counter-7', 1));
    expectRight(await add('counter-7', 2, {}));
    const ports = { store, clock, ids, streams };
    const command = { type: 'Add', amount: 3 } as const;
    const handled = await handleCommand(ports, counters, 'counter-7', command, context(), requireRevision(1));
    expect(expectRight(handled).state).toBe(6);
    const late = await handleCommand(ports, counters, 'counter-7', command, context(), requireRevision(1));
    expect(expectLeft(late).code).toBe('CONFLICT');
  });

  it('reads the whole stream to find its earlier events', async () => {
    const same = context();
    const first = expectRight(await add('counter-3', 1, { streams }, same));
    expectRight(await add('counter-3', 2));
    expect(expectRight(await add('counter-3', 1, { streams }, same))).toEqual(first);
    expect(reads).toEqual([2, 0]);
  });

  it('reads the whole stream again when the cache does not match it', async () => {
    expectRight(await add('counter-4', 1));
    expectRight(await add('counter-4', 2));
    const restored = createInMemoryEventStore(clock);
    expect(expectRight(await add('counter-4', 5, { streams, store: restored })).state).toBe(5);
  });

  it('is decided on the state that its own aggregate folds from the stream', async () => {
    expectRight(await add('counter-5', 1));
    const negative = {
      ...counters,
      decider: { ...counters.decider, evolve: (n: number, { data }: Added) => n - data.amount },
    };
    const ports = { store, clock, ids, streams };
    const { state } = expectRight(
      await handleCommand(ports, negative, 'counter-5', { type: 'Add', amount: 2 }, context()),
    );
    expect(state).toBe(-3);
  });

  it('is loaded by reading later events only, however long the stream is', async () => {
    const long = Array.from({ length: 10_001 }, () => ({
      ...{ id: ids.uuid(), type: 'Added', schemaVersion: 1, data: { amount: 1, note: 'x'.repeat(1_000) } },
      metadata: { ...context(), actor: 'ada', role: 'analyst', occurredAt: NOON.toISOString() },
    }));
    expectRight(await inner.append('counter-8', 'no_stream', long));
    reads.length = 0;
    for (const expected of [[0, 10_000], [10_001]]) {
      const { state, revision } = expectRight(await loadStream({ store, streams }, counters, 'counter-8'));
      expect({ state, revision }).toEqual({ state: 10_001, revision: 10_000 });
      expect(reads.splice(0)).toEqual(expected);
    }
  });
});
