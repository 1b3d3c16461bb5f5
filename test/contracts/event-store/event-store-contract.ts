import * as fc from 'fast-check';
import { left, right } from 'fp-ts/Either';
import { comparePositions, type NewEvent, type Position, START, type StoredEvent } from '../../../domain/kernel/event';
import { type EventStore, type FeedPage } from '../../../domain/ports/event-store';
import { bySize } from '../../support/proof-size';
import { newEvent, newEvents, succeeded } from './event-samples';
import { tailBesideWriters } from './tailing-reader';

export interface OpenedStore {
  readonly store: EventStore;
  close(): Promise<void>;
}

/** The categories of all streams of the suite. */
export const CONTRACT_CATEGORIES = ['a', 'contested', 'later', 'm', 'mapping', 'nothing', 'own', 'user', 'writer'];

const WRITERS = bySize({ sample: 6, full: 16 });

/** The contract of event stores. `open` returns an empty one. */
export const describeEventStore = (name: string, open: () => Promise<OpenedStore>): void => {
  describe(`the event store: ${name}`, () => {
    let opened: OpenedStore;
    let store: EventStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    const idsOf = (events: readonly StoredEvent[]): readonly string[] => events.map((event) => event.id);
    const streamIds = async (streamId: string): Promise<readonly string[]> =>
      idsOf(succeeded(await store.readStream(streamId)));

    describe('appending', () => {
      it('returns what was appended, with revision, position and time', async () => {
        const event = newEvent('MappingCreated', {
          name: 'Ünïcode 🦉',
          nested: [1, null, { deep: 1.5 }],
          big: 2 ** 53,
        });
        const before = Date.now();

        const appended = succeeded(await store.append('mapping-1', 'no_stream', [event]));

        const [stored] = succeeded(await store.readStream('mapping-1'));
        const { recordedAt, ...rest } = stored!;
        expect(rest).toEqual({ ...event, streamId: 'mapping-1', revision: 0, position: appended.position });
        expect(recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Math.abs(Date.parse(recordedAt) - before)).toBeLessThan(100_000);
      });

      it('keeps the events of one append together and in order', async () => {
        const first = newEvents(3);
        const second = newEvents(2);
        await store.append('a-1', 'no_stream', first);
        expect(succeeded(await store.append('a-1', 2, second)).revision).toBe(4);

        expect(await streamIds('a-1')).toEqual(idsOfNew([...first, ...second]));
      });

      it('rejects a second creation of a stream and reports its revision', async () => {
        await store.append('a-1', 'no_stream', newEvents(2));

        expect(await store.append('a-1', 'no_stream', [newEvent()])).toEqual(
          left({ kind: 'wrong_expected_revision', streamId: 'a-1', actual: 1 }),
        );
      });

      it('rejects a revision for a stream that does not exist', async () => {
        expect(await store.append('a-1', 0, [newEvent()])).toEqual(
          left({ kind: 'wrong_expected_revision', streamId: 'a-1', actual: null }),
        );
      });

      it.each([
        ['has moved on', 0],
        ['is not there yet', 2],
      ])('rejects an append when the stream %s', async (_, expected) => {
        await store.append('a-1', 'no_stream', newEvents(2));

        expect(await store.append('a-1', expected, [newEvent()])).toEqual(
          left({ kind: 'wrong_expected_revision', streamId: 'a-1', actual: 1 }),
        );
        expect(await streamIds('a-1')).toHaveLength(2);
      });

      it('reports the first outcome again when the events of a new stream are appended again', async () => {
        const events = newEvents(3);
        const first = succeeded(await store.append('a-1', 'no_stream', events));
        await store.append('a-1', 2, newEvents(2));

        expect(await store.append('a-1', 'no_stream', events)).toEqual(right(first));
        expect(await streamIds('a-1')).toHaveLength(5);
      });

      it('reports the first outcome again when the same events are appended again at the same revision', async () => {
        await store.append('a-1', 'no_stream', newEvents(2));
        const events = newEvents(2);
        const first = succeeded(await store.append('a-1', 1, events));
        await store.append('a-1', 3, newEvents(1));

        expect(await store.append('a-1', 1, events)).toEqual(right(first));
        expect(await streamIds('a-1')).toHaveLength(5);
      });

      it('does not recognise an append as repeated when only its beginning was written', async () => {
        const events = newEvents(3);
        await store.append('a-1', 'no_stream', events.slice(0, 2));

        expect(await store.append('a-1', 'no_stream', events)).toMatchObject(
          left({ kind: 'wrong_expected_revision', actual: 1 }),
        );
      });

      it.each([
        ['U+0000', 'a\u0000b'],
        ['half a surrogate pair', 'a\ud83db'],
      ])('rejects %s before anything is written, and names the field', async (_what, text) => {
        const events = [newEvent(), newEvent('MappingCreated', { nodes: [{ sql: text }] })];

        expect(await store.append('a-1', 'no_stream', events)).toEqual(
          left({ kind: 'invalid_text', streamId: 'a-1', field: 'data.nodes[0].sql' }),
        );
        expect(await streamIds('a-1')).toEqual([]);
      });

      it('keeps a text that only looks like an escape', async () => {
        const data = { text: '\\u0000 \\ud83d' };
        await store.append('a-1', 'no_stream', [newEvent('Noted', data)]);

        expect(succeeded(await store.readStream('a-1'))[0]?.data).toEqual(data);
      });

      it('accepts one of many concurrent writers of a stream at each revision, whatever else is written', async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            store.append(n % 2 === 0 ? 'contested-1' : `own-${n}`, 'no_stream', [newEvent()]),
          ),
        );

        const contested = outcomes.filter((_, n) => n % 2 === 0);
        expect(contested.filter((outcome) => outcome._tag === 'Right')).toHaveLength(1);
        expect(contested.filter((outcome) => outcome._tag === 'Left')).toEqual(
          Array.from({ length: 19 }, () =>
            left({ kind: 'wrong_expected_revision', streamId: 'contested-1', actual: 0 }),
          ),
        );
        expect(outcomes.filter((outcome, n) => n % 2 === 1 && outcome._tag === 'Right')).toHaveLength(20);
      });

      it('behaves like a list of lists', async () => {
        const operation = fc.record({
          stream: fc.constantFrom('m-a', 'm-b', 'm-c'),
          expected: fc.oneof(fc.constant('no_stream' as const), fc.nat(4)),
          count: fc.integer({ min: 1, max: 3 }),
        });
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
            run += 1;
            const model = new Map<string, string[]>();
            for (const { stream, expected, count } of operations) {
              const streamId = `${stream}-${run}`;
              const known = model.get(streamId) ?? [];
              const events = newEvents(count);
              const outcome = await store.append(streamId, expected, events);
              const fits = (expected === 'no_stream' ? -1 : expected) === known.length - 1;
              expect(outcome._tag).toBe(fits ? 'Right' : 'Left');
              if (fits) model.set(streamId, [...known, ...idsOfNew(events)]);
            }
            for (const [streamId, ids] of model) expect(await streamIds(streamId)).toEqual(ids);
          }),
          { numRuns: 30 },
        );
      });
    });

    describe('reading a stream', () => {
      it('returns nothing for an unknown stream', async () => {
        expect(await store.readStream('nothing-1')).toEqual(right([]));
      });

      it.each([
        [{}, [0, 1, 2, 3, 4]],
        [{ fromRevision: 3 }, [3, 4]],
        [{ limit: 2 }, [0, 1]],
        [{ fromRevision: 1, limit: 2 }, [1, 2]],
        [{ fromRevision: 9 }, []],
        [{ direction: 'backwards' as const }, [4, 3, 2, 1, 0]],
        [{ direction: 'backwards' as const, limit: 1 }, [4]],
        [{ direction: 'backwards' as const, fromRevision: 2 }, [2, 1, 0]],
        [{ direction: 'backwards' as const, fromRevision: 3, limit: 2 }, [3, 2]],
      ])('a read with %j returns the revisions %j', async (options, revisions) => {
        await store.append('a-1', 'no_stream', newEvents(5));

        expect(succeeded(await store.readStream('a-1', options)).map((event) => event.revision)).toEqual(revisions);
      });
    });

    describe('reading the feed', () => {
      beforeEach(async () => {
        await store.append('mapping-1', 'no_stream', newEvents(2, 'MappingCreated'));
        await store.append('user-ada', 'no_stream', newEvents(1, 'UserCreated'));
        await store.append('mapping-2', 'no_stream', newEvents(2, 'MappingCreated'));
      });

      it('returns the events of all streams in one order, page by page', async () => {
        const all = succeeded(await store.readAll(START, 100));
        const first = succeeded(await store.readAll(START, 3));
        const rest = succeeded(await store.readAll(first.position, 100));

        expect(all.events.map((event) => event.streamId)).toEqual([
          'mapping-1',
          'mapping-1',
          'user-ada',
          'mapping-2',
          'mapping-2',
        ]);
        expect(first.position).toBe(first.events[2]!.position);
        expect([...first.events, ...rest.events]).toEqual(all.events);
        expect(all.events.map((event) => event.position).toSorted(comparePositions)).toEqual(
          all.events.map((event) => event.position),
        );
      });

      it('keeps its position when there are no new events', async () => {
        const head = succeeded(await store.head());

        expect(await store.readAll(head, 10)).toEqual(right({ events: [], position: head }));
      });

      it('filters by type', async () => {
        const page = succeeded(await store.readAll(START, 10, { types: ['UserCreated', 'Unheard'] }));

        expect(page.events.map((event) => event.streamId)).toEqual(['user-ada']);
      });

      it('advances its position past events that the filter excludes', async () => {
        const page = succeeded(await store.readAll(START, 10, { types: ['Unheard'] }));

        expect(page).toEqual({ events: [], position: succeeded(await store.head()) });
      });

      it('combines filter and limit without losing an event', async () => {
        const filter = { types: ['MappingCreated'] };
        const seen: StoredEvent[] = [];
        let position = START;
        for (let pages = 0; pages < 4; pages += 1) {
          const page: FeedPage = succeeded(await store.readAll(position, 1, filter));
          expect(page.events.length).toBeLessThanOrEqual(1);
          seen.push(...page.events);
          position = page.position;
        }
        expect(seen.map((event) => `${event.streamId}@${event.revision}`)).toEqual([
          'mapping-1@0',
          'mapping-1@1',
          'mapping-2@0',
          'mapping-2@1',
        ]);
      });
    });

    describe('positions', () => {
      it('an empty log has the start as its positions', async () => {
        expect(await store.head()).toEqual(right(START));
        expect(await store.readAll(START, 10)).toEqual(right({ events: [], position: START }));
      });

      it('the head is at the last append', async () => {
        await store.append('a-1', 'no_stream', newEvents(3));
        const { position } = succeeded(await store.append('a-2', 'no_stream', newEvents(2)));

        expect(await store.head()).toEqual(right(position));
      });

      it('each lead to the event at that place, and others to none', async () => {
        await store.append('a-1', 'no_stream', newEvents(2));
        const { position } = succeeded(await store.append('a-2', 'no_stream', newEvents(2)));

        const { events } = succeeded(await store.readAll(START, 10));
        expect(events).toHaveLength(4);
        for (const event of events) expect(await store.readAt(event.position)).toEqual(right(event));
        for (const other of [START, String(BigInt(position) + 1n), `${position}000`]) {
          expect(await store.readAt(other as Position)).toEqual(right(null));
        }
      });
    });

    describe('subscribing', () => {
      const stop = { current: new AbortController() };
      beforeEach(() => {
        stop.current = new AbortController();
      });
      afterEach(() => stop.current.abort());

      const follow = (
        options: { readonly batchSize?: number; readonly types?: readonly string[] } = {},
        after = START,
      ) =>
        store
          .subscribeAll(after, {
            signal: stop.current.signal,
            ...(options.batchSize === undefined ? {} : { batchSize: options.batchSize }),
            ...(options.types === undefined ? {} : { filter: { types: options.types } }),
          })
          [Symbol.asyncIterator]();
      const nextPage = async (pages: AsyncIterator<FeedPage, unknown>): Promise<readonly StoredEvent[]> => {
        const page = await pages.next();
        if (page.done === true) throw new Error('The subscription ended');
        return page.value.events;
      };
      const take = async (pages: AsyncIterator<FeedPage, unknown>, count: number): Promise<readonly StoredEvent[]> => {
        const events: StoredEvent[] = [];
        while (events.length < count) events.push(...(await nextPage(pages)));
        return events;
      };

      it('delivers existing events and then new ones', async () => {
        const [past, present] = [newEvents(3), newEvents(2)];
        await store.append('a-1', 'no_stream', past);
        const pages = follow();
        expect(idsOf(await take(pages, 3))).toEqual(idsOfNew(past));

        const next = take(pages, 2);
        await store.append('a-1', 2, present);
        expect(idsOf(await next)).toEqual(idsOfNew(present));
      });

      it('resumes after a position', async () => {
        const { position } = succeeded(await store.append('a-1', 'no_stream', newEvents(3)));
        const later = newEvents(2);
        await store.append('a-2', 'no_stream', later);

        expect(idsOf(await take(follow({}, position), 2))).toEqual(idsOfNew(later));
      });

      it('delivers no page larger than the batch, whatever its lag', async () => {
        const events = newEvents(25);
        await store.append('a-1', 'no_stream', events);
        const pages = follow({ batchSize: 10 });

        const sizes: number[] = [];
        for (let i = 0; i < 3; i += 1) sizes.push((await nextPage(pages)).length);
        expect(sizes).toEqual([10, 10, 5]);
      });

      it('reads the next page only when it is requested', async () => {
        await store.append('a-1', 'no_stream', newEvents(1));
        const pages = follow({ batchSize: 10 });
        expect(await take(pages, 1)).toHaveLength(1);

        const meanwhile = newEvents(3);
        for (const [n, event] of meanwhile.entries()) await store.append(`later-${n}`, 'no_stream', [event]);
        // A page that was read ahead would contain fewer events.
        expect(idsOf(await nextPage(pages))).toEqual(idsOfNew(meanwhile));
      });

      it('filters, and reports its progress', async () => {
        await store.append('a-1', 'no_stream', newEvents(3, 'Noise'));
        const { position } = succeeded(await store.append('a-2', 'no_stream', newEvents(1, 'Signal')));
        const pages = follow({ types: ['Signal'] });

        expect(await pages.next()).toMatchObject({ value: { events: [{ streamId: 'a-2' }], position } });
      });

      it('ends when it is aborted, including while it waits', async () => {
        const pages = follow();
        const waiting = pages.next();
        stop.current.abort();

        expect(await waiting).toMatchObject({ done: true });
      });

      it(`returns every event of ${WRITERS} concurrent writers to a reader, once and in order`, async () => {
        const { written, seen } = await tailBesideWriters(store, { writers: WRITERS, appendsEach: 60 });

        expect(written).toHaveLength(WRITERS * 60);
        expect(seen).toEqual(written);
      });
    });
  });
};

const idsOfNew = (events: readonly NewEvent[]): readonly string[] => events.map((event) => event.id);
