import { left, right } from 'fp-ts/Either';
import { allEvents } from '../../../domain/events';
import { type Position, START } from '../../../domain/kernel/event';
import { decodeEvent } from '../../../domain/kernel/event-catalogue';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { fakeEventStore } from '../../support/fake-event-store';
import { FakeLogServer } from '../../support/in-memory/fake-log-server';

const FOREIGN = [
  { streamId: '$stats-127.0.0.1:2113', type: '$statsCollected' },
  { streamId: '$$a-1', type: '$metadata', isJson: true, data: { $tb: 0 } },
  { streamId: 'a-9', type: '$>', data: '0@other-1' },
  { streamId: 'a-9', type: '$streamDeleted' },
  { streamId: 'order-7', type: 'OrderPlaced', isJson: true, data: 'no { JSON', metadata: new Uint8Array([255]) },
  { streamId: 'aa-1', type: 'Other', data: new Uint8Array([0, 255]) },
  { streamId: 'a', type: 'Other' },
  { streamId: 'log-identity', type: 'Other' },
  { streamId: 'other_mapping-1', type: 'Other' },
];

const putForeign = (server: FakeLogServer, times = 1): void => {
  for (let i = 0; i < times; i += 1) for (const event of FOREIGN) server.put(event);
};

it('returns no events of the server itself or of other systems, whatever they contain', async () => {
  const { store, server } = fakeEventStore();
  putForeign(server);
  const first = newEvents(2);
  await store.append('a-1', 'no_stream', first);
  putForeign(server, 100);
  const second = newEvents(1);
  const { position } = succeeded(await store.append('mapping-1', 'no_stream', second));
  putForeign(server, 100);

  const page = succeeded(await store.readAll(START, 10));

  expect(page.events.map(({ id }) => id)).toEqual([...first, ...second].map(({ id }) => id));
  expect(page.position).toBe(position);
  expect(await store.head()).toEqual(right(position));
  expect(await store.readAll(position, 10)).toEqual(right({ events: [], position }));
});

it('reports only positions of its own events, whatever the filter', async () => {
  const { store, server } = fakeEventStore();
  await store.append('a-1', 'no_stream', newEvents(3));
  const head = succeeded(await store.head());
  putForeign(server, 3);

  expect(await store.readAll(START, 10, { types: ['Unheard'] })).toEqual(right({ events: [], position: head }));
  expect(await store.readAll(head, 10, { types: ['Unheard'] })).toEqual(right({ events: [], position: head }));
});

it('does not read foreign events again while it waits', async () => {
  const { store, server } = fakeEventStore({ timeoutMs: 60_000 });
  await store.append('a-1', 'no_stream', newEvents(1));
  putForeign(server, 1_000);
  const { position } = succeeded(await store.readAll(START, 10));
  await store.head();
  const before = server.counts.records;

  for (let i = 0; i < 10; i += 1) {
    await store.readAll(position, 10);
    await store.head();
  }

  expect(server.counts.records - before).toBeLessThan(150);
});

it('returns what it found when its time ends among foreign events, and resumes there', async () => {
  const { store, server } = fakeEventStore();
  await store.append('a-1', 'no_stream', newEvents(1));
  const middle = succeeded(await store.head());
  putForeign(server, 500);
  await store.append('a-2', 'no_stream', newEvents(1));
  server.freezeAfterReads(2);

  const page = succeeded(await store.readAll(START, 10));
  expect(page).toMatchObject({ events: [{ streamId: 'a-1' }], position: middle });
  expect(await store.readAll(middle, 10)).toMatchObject(left({ kind: 'unavailable' }));
  server.isFrozen = false;
  expect(succeeded(await store.readAll(middle, 10)).events).toMatchObject([{ streamId: 'a-2' }]);
});

it('finds its last event after more foreign ones than fit into the time of one call', async () => {
  const { store, server } = fakeEventStore({ timeoutMs: 100 });
  const { position } = succeeded(await store.append('a-1', 'no_stream', newEvents(1)));
  putForeign(server, 500);
  server.freezeAfterReads(4);
  let calls = 0;

  let head = await store.head();
  for (; head._tag === 'Left' && calls < 100; head = await store.head()) {
    calls += 1;
    server.isFrozen = false;
    putForeign(server, 3);
    server.freezeAfterReads(4);
  }

  expect(head).toEqual(right(position));
  expect(calls).toBeGreaterThan(2);
});

it('separates several logs on one server', async () => {
  const server = new FakeLogServer();
  const ours = fakeEventStore({ prefix: 'ours.' }, server);
  const theirs = fakeEventStore({ prefix: 'theirs.' }, server);
  const unnamed = fakeEventStore({ prefix: '' }, server);
  for (const { store } of [ours, theirs, unnamed]) await store.append('a-1', 'no_stream', newEvents(2));

  for (const { store } of [ours, theirs, unnamed]) {
    expect(succeeded(await store.readStream('a-1'))).toHaveLength(2);
    const { events } = succeeded(await store.readAll(START, 10));
    expect(events.map(({ streamId, revision }) => `${streamId}@${revision}`)).toEqual(['a-1@0', 'a-1@1']);
  }
});

it('starts at the first event of its log', async () => {
  const server = new FakeLogServer();
  putForeign(server, 1_000);
  const { store, identity } = fakeEventStore({ prefix: 'ours.' }, server);
  await identity.ensure('log 1');
  const before = server.counts.records;

  expect(await store.head()).toEqual(right(START));
  expect(await store.readAll(START, 10)).toEqual(right({ events: [], position: START }));
  expect(server.counts.records - before).toBeLessThan(15);
});

it('returns no event of another log by its position', async () => {
  const { store, server } = fakeEventStore();
  const { position } = succeeded(await store.append('a-1', 'no_stream', [newEvent()]));
  const foreign = server.put({ streamId: 'order-1', type: 'OrderPlaced' }) as Position;

  expect(await store.readAt(position)).toMatchObject(right({ streamId: 'a-1', position }));
  expect(await store.readAt(foreign)).toEqual(right(null));
});

describe('an event that another program wrote to a stream of this log', () => {
  it.each([
    ['of an unknown type stops the readers', { type: 'Invented', isJson: true, data: {} }, 'unknown_type'],
    [
      'with a body that is no JSON is set aside',
      { type: 'MappingCreated', isJson: true, data: '{"name": ' },
      'bad_data',
    ],
    ['with bytes is set aside', { type: 'MappingCreated', isJson: false, data: new Uint8Array([255]) }, 'bad_data'],
    ['without our metadata is set aside', { type: 'MappingCreated', isJson: true, data: {}, metadata: 7 }, 'bad_data'],
  ])('%s', async (_, event, kind) => {
    const { store, server } = fakeEventStore();
    server.put({ streamId: 'mapping-1', ...event });

    const [fromFeed] = succeeded(await store.readAll(START, 10)).events;
    const [fromStream] = succeeded(await store.readStream('mapping-1'));

    expect(fromStream).toEqual(fromFeed);
    expect(decodeEvent(allEvents, fromFeed!)).toMatchObject(left({ kind }));
  });
});
