import { createHash } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import { type EventStore } from '../../../domain/ports/event-store';
import { SEALS_STREAM } from '../../../domain/seals';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { fakeEventStore } from '../../support/fake-event-store';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { sealJobOn, sealLog } from '../../support/seal-log';

const inMemory = (): EventStore => createInMemoryEventStore({ now: () => new Date() });
const sealsOf = async (store: EventStore) => succeeded(await store.readStream(SEALS_STREAM));

describe.each([
  ['in memory', () => inMemory()],
  ['on EventStoreDB', (): EventStore => fakeEventStore({ categories: ['mapping', 'seals'] }).store],
])('the job seal %s', (_where, open) => {
  it('seals the events since the last seal, and the seals among them', async () => {
    const store = open();
    const [first, second, third] = newEvents(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('Expected three events.');
    succeeded(await store.append('mapping-1', 'no_stream', [first, second]));
    expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 1, events_sealed: 2 });
    succeeded(await store.append('mapping-2', 'no_stream', [third]));
    expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 1, events_sealed: 2 });

    const [one, two] = await sealsOf(store);
    expect(one).toMatchObject({
      type: 'LogSealed',
      data: {
        ...{ count: 2, firstEventId: first.id, lastEventId: second.id, lastStreamId: 'mapping-1', lastRevision: 1 },
        ...{ previousHash: '0'.repeat(64), hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      },
      metadata: { actor: 'system:job-seal', role: 'system' },
    });
    expect(two).toMatchObject({
      revision: 1,
      data: {
        count: 2,
        firstEventId: one?.id,
        lastEventId: third.id,
        previousHash: (one?.data as { hash: string }).hash,
      },
    });
  });

  it('does nothing in an empty log, and while nothing but seals happens', async () => {
    const store = open();
    expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 0, events_sealed: 0 });
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(1)));
    await sealLog(store);
    for (let n = 0; n < 3; n++) expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 0, events_sealed: 0 });
    expect(await sealsOf(store)).toHaveLength(1);
  });

  it('appends one seal for the same events on two replicas', async () => {
    const store = open();
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(5)));
    const runs = await Promise.all([sealJobOn(store).run(), sealJobOn(store).run(), sealJobOn(store).run()]);
    expect(
      runs
        .map(succeeded)
        .map(({ seals }) => seals)
        .toSorted(),
    ).toEqual([0, 0, 1]);
    expect(await sealsOf(store)).toHaveLength(1);
  });
});

describe('the job seal', () => {
  it('leaves events that arrive while it reads to the next seal', async () => {
    const store = inMemory();
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(2)));
    let arrived = 0;
    const busy: EventStore = {
      ...store,
      append: async (...args) => {
        if (args[0] === SEALS_STREAM) {
          succeeded(await store.append(`mapping-${100 + arrived++}`, 'no_stream', newEvents(1)));
        }
        return store.append(...args);
      },
    };
    expect(succeeded(await sealJobOn(busy).run())).toEqual({ seals: 1, events_sealed: 2 });
    expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 1, events_sealed: 2 });
    expect(succeeded(await sealJobOn(store).run())).toEqual({ seals: 0, events_sealed: 0 });
  });

  it('seals a long log in parts, and reads only new events afterwards', async () => {
    const store = inMemory();
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(100_500)));
    const reads: number[] = [];
    const counted: EventStore = {
      ...store,
      readAll: async (...args) => {
        const page = await store.readAll(...args);
        reads.push(succeeded(page).events.length);
        return page;
      },
    };
    expect(succeeded(await sealJobOn(counted).run())).toEqual({ seals: 2, events_sealed: 100_501 });
    expect(Math.max(...reads)).toBeLessThanOrEqual(1000);
    reads.length = 0;
    succeeded(await store.append('mapping-2', 'no_stream', newEvents(1)));
    expect(succeeded(await sealJobOn(counted).run())).toEqual({ seals: 1, events_sealed: 2 });
    expect(reads).toEqual([2, 0]);
  });

  it('fails when the last sealed event is not in the log', async () => {
    const store = inMemory();
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(2)));
    await sealLog(store);
    const without: EventStore = {
      ...store,
      readStream: async (streamId, options) =>
        streamId === 'mapping-1' ? right([]) : store.readStream(streamId, options),
    };
    const failed = await sealJobOn(without).run();
    expect(isLeft(failed) && failed.left.message).toMatch(
      /The last sealed event, .* \(mapping-1@1\), is not in the log\. Run rowgraph verify --seals/,
    );
    expect(await sealsOf(store)).toHaveLength(1);
  });

  it('appends nothing once it is stopped', async () => {
    const store = inMemory();
    succeeded(await store.append('mapping-1', 'no_stream', newEvents(2)));
    expect(succeeded(await sealJobOn(store).run(AbortSignal.abort()))).toEqual({ seals: 0, events_sealed: 0 });
    expect(await sealsOf(store)).toEqual([]);
  });

  it('has a hash that can be computed from the events alone', async () => {
    const store = inMemory();
    const event = {
      ...newEvent('Thing', { z: 1, 10: 'x', a: [null, -0, 1e21, 'ü\u2028', { c: true, b: {} }] }),
      id: 'i',
    };
    succeeded(await store.append('mapping-1', 'no_stream', [event]));
    const json =
      '["mapping-1",0,"i","Thing",1,{"10":"x","a":[null,0,1e+21,"ü\u2028",{"b":{},"c":true}],"z":1},' +
      '{"actor":"ada","causationId":"command-1","commandId":"command-1","correlationId":"request-1","occurredAt":"2026-01-02T03:04:05.678Z","role":"analyst"}]';
    const hash = createHash('sha256')
      .update(`${'0'.repeat(64)}\n${json}`)
      .digest('hex');
    expect(await sealLog(store)).toBe(hash);
  });
});
