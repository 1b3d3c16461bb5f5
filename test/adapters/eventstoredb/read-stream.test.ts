import { left, right } from 'fp-ts/Either';
import { newEvent, newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { fakeEventStore } from '../../support/fake-event-store';

const brokenBecause = (reason: RegExp) =>
  left({ kind: 'broken_stream', streamId: 'a-1', reason: expect.stringMatching(reason) as string });

const withStream = async () => {
  const opened = fakeEventStore({ prefix: 'ours.' });
  await opened.store.append('a-1', 'no_stream', newEvents(5));
  await opened.store.append('a-2', 'no_stream', newEvents(2));
  return opened;
};

describe('a truncated stream', () => {
  it.each([
    [{}, /revision 0 is no longer there/],
    [{ limit: 2 }, /revision 0 is/],
    [{ fromRevision: 1 }, /revision 1 is/],
    [{ direction: 'backwards' as const }, /revision 1 is/],
    [{ direction: 'backwards' as const, fromRevision: 1 }, /revision 1 is/],
  ])('read with %j is reported as broken, not as shorter', async (options, reason) => {
    const { store, server } = await withStream();
    server.truncate('ours.a-1', 2);

    expect(await store.readStream('a-1', options)).toEqual(brokenBecause(reason));
    expect(succeeded(await store.readStream('a-2'))).toHaveLength(2);
  });

  it.each([
    [{ fromRevision: 2 }, [2, 3, 4]],
    [{ direction: 'backwards' as const, limit: 2 }, [4, 3]],
  ])('returns the existing events when only they are requested, with %j', async (options, revisions) => {
    const { store, server } = await withStream();
    server.truncate('ours.a-1', 2);

    expect(succeeded(await store.readStream('a-1', options)).map(({ revision }) => revision)).toEqual(revisions);
  });
});

describe('a deleted stream', () => {
  it('is reported as broken, not as missing', async () => {
    const { store, server } = await withStream();
    server.softDelete('ours.a-1');

    expect(await store.readStream('a-1')).toEqual(brokenBecause(/deleted/));
    expect(await store.readStream('a-9')).toEqual(right([]));
  });

  it('a stream that was started again is broken for reads and appends', async () => {
    const { store, server } = await withStream();
    server.softDelete('ours.a-1');

    expect(await store.append('a-1', 'no_stream', [newEvent()])).toEqual(brokenBecause(/had been deleted.*revision 5/));
    expect(await store.readStream('a-1')).toEqual(brokenBecause(/revision 0/));
  });

  it('a tombstone breaks reads and appends', async () => {
    const { store, server } = await withStream();
    server.tombstone('ours.a-1');

    expect(await store.readStream('a-1')).toEqual(brokenBecause(/deleted for good/));
    expect(await store.append('a-1', 4, [newEvent()])).toEqual(brokenBecause(/deleted for good/));
  });
});
