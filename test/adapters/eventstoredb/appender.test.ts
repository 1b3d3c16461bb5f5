import { left, right } from 'fp-ts/Either';
import { withTimeLimit } from '../../../adapters/system/time-limit';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { fakeEventStore } from '../../support/fake-event-store';

const LOST = Object.assign(new Error('14 UNAVAILABLE: read ECONNRESET'), { code: 14 });
const NOT_CONNECTED = Object.assign(
  new Error('14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED'),
  {
    code: 14,
  },
);

describe('an append without an answer', () => {
  it.each([
    ['was lost on its way', { isWritten: false, error: LOST }],
    ['was written, and the connection was lost', { isWritten: true, error: LOST }],
    ['was swallowed', { isWritten: false, error: null }],
    ['was written, without a confirmation', { isWritten: true, error: null }],
  ])('is retried when it %s, and counts once', async (_, fault) => {
    const { store, server, observed } = fakeEventStore();
    const events = newEvents(2);
    server.faults.push(fault);

    const appended = succeeded(await store.append('a-1', 'no_stream', events));

    const stored = succeeded(await store.readStream('a-1'));
    expect(stored.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(appended).toEqual({ revision: 1, position: stored[1]!.position });
    expect(observed.resent).toBe(1);
  });

  it('has an unknown outcome after its timeout, and reports the cause', async () => {
    const { store, server } = fakeEventStore();
    server.isFrozen = true;

    const outcome = await store.append('a-1', 'no_stream', [newEvent()]);

    expect(outcome).toMatchObject(left({ kind: 'unknown_outcome', streamId: 'a-1' }));
    expect(outcome).toMatchObject({
      left: { reason: expect.stringMatching(/a-1: no answer within \d+ ms/) as string },
    });
  });

  it('is unavailable when a connection was never made', async () => {
    const { store, server } = fakeEventStore();
    server.faults.push(...Array.from({ length: 100 }, () => ({ isWritten: false, error: NOT_CONNECTED })));

    expect(await store.append('a-1', 'no_stream', [newEvent()])).toMatchObject(
      left({ kind: 'unavailable', reason: expect.stringContaining('ECONNREFUSED') as string }),
    );
  });

  it('ends with the remaining time of its request, and sends nothing when none remains', async () => {
    const { store, server } = fakeEventStore({ timeoutMs: 60_000 });
    server.isFrozen = true;

    expect(await withTimeLimit(2_000, () => store.append('a-1', 'no_stream', [newEvent()]))).toMatchObject(
      left({ kind: 'unknown_outcome' }),
    );
    expect(await withTimeLimit(0, () => store.append('a-1', 'no_stream', [newEvent()]))).toMatchObject(
      left({ kind: 'unavailable' }),
    );
    expect(server.counts.appends).toBe(1);
  });

  it('is recognised when the server rejects the retry', async () => {
    const { store, server } = fakeEventStore();
    const events = newEvents(2);
    server.faults.push({ isWritten: true, error: LOST });
    server.forgetsIds = true;

    const appended = succeeded(await store.append('a-1', 'no_stream', events));

    expect(appended).toEqual({ revision: 1, position: succeeded(await store.head()) });
  });

  it('reports a conflict when the stored events are not its own', async () => {
    const { store, server } = fakeEventStore();
    await store.append('a-1', 'no_stream', [newEvent()]);
    server.faults.push({ isWritten: false, error: LOST });

    expect(await store.append('a-1', 'no_stream', [newEvent()])).toEqual(
      left({ kind: 'wrong_expected_revision', streamId: 'a-1', actual: 0 }),
    );
  });
});

describe('the current client', () => {
  it('is replaced after missing answers, and the pending appends continue', async () => {
    const { store, server, observed } = fakeEventStore({ timeoutMs: 2_000 });
    server.isFrozen = true;
    const appending = Promise.all([
      store.append('a-1', 'no_stream', [newEvent()]),
      store.append('a-2', 'no_stream', [newEvent()]),
    ]);
    await server.untilOpened(2);
    server.isFrozen = false;

    expect((await appending).map(({ _tag }) => _tag)).toEqual(['Right', 'Right']);
    expect(observed.reconnected).toBe(1);
  });
});

describe('an append', () => {
  it('above the size limit of the store is rejected with the size', async () => {
    const { store, server } = fakeEventStore();

    expect(await store.append('a-1', 'no_stream', [newEvent('Big', 'x'.repeat(10_000))])).toMatchObject(
      left({ kind: 'too_large', streamId: 'a-1', maxBytes: 10_000 }),
    );
    expect(server.counts.appends).toBe(0);
  });

  it('above the size limit of the server reports that limit', async () => {
    const { store, server } = fakeEventStore();
    server.maxAppendBytes = 1_000;

    expect(await store.append('a-1', 'no_stream', [newEvent('Big', 'x'.repeat(2_000))])).toMatchObject(
      left({ kind: 'too_large', maxBytes: 1_000 }),
    );
  });

  it('an event with text that no store can keep is rejected with the field', async () => {
    const { store } = fakeEventStore();

    expect(await store.append('a-1', 'no_stream', [newEvent('Named', { name: 'a\0b' })])).toEqual(
      left({ kind: 'invalid_text', streamId: 'a-1', field: 'data.name' }),
    );
  });

  it('a stream outside the categories of readers is a programming error', async () => {
    await expect(fakeEventStore().store.append('b-1', 'no_stream', [newEvent()])).rejects.toThrow(
      /b-1 has no known category/,
    );
  });

  it('an answer without a position gets the position of its event', async () => {
    const { store, server } = fakeEventStore();
    server.tellsPositions = false;

    const appended = await store.append('a-1', 'no_stream', newEvents(2));

    expect(appended).toEqual(right({ revision: 1, position: succeeded(await store.head()) }));
  });

  it('carries correlation and causation under the names that the server uses', async () => {
    const { store, server } = fakeEventStore();
    await store.append('mapping-1', 'no_stream', [newEvent()]);

    expect(server.log.find(({ streamId }) => streamId === 'mapping-1')?.metadata).toMatchObject({
      $correlationId: 'request-1',
      $causationId: 'command-1',
      schemaVersion: 1,
    });
  });
});
