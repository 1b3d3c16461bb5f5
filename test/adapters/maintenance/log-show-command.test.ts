import { isLeft, left } from 'fp-ts/Either';
import { failed } from '../../../adapters/cli/failure';
import { showEvents } from '../../../adapters/maintenance/log-show-command';
import { newEvents } from '../../contracts/event-store/event-samples';
import { fakeEventStore } from '../../support/fake-event-store';

const STREAM = { streamId: 'mapping-1', from: 0, limit: 10 };

test('a stream that has lost events is reported as broken, with the next step', async () => {
  const { store, server } = fakeEventStore();
  await store.append('mapping-1', 'no_stream', newEvents(3));
  server.truncate('mapping-1', 2);

  expect(await showEvents(store, STREAM)).toEqual(
    left(
      failed(
        'EventStoreDB no longer has every event of mapping-1: revision 0 is no longer there.',
        'See "A stream is broken" in docs/operations/runbooks/event-store.md.',
      ),
    ),
  );
  expect(await showEvents(store, { ...STREAM, from: 2 })).toMatchObject({ right: { data: [{ revision: 2 }] } });
});

test('a store that does not answer is distinguished from a missing stream', async () => {
  const { store, server } = fakeEventStore();
  server.isFrozen = true;

  const shown = await showEvents(store, STREAM);
  expect(isLeft(shown) && shown.left.lines).toEqual([
    expect.stringMatching(/^The log could not be read: .+ Are the system and its event store running\?$/),
  ]);
});
