import { randomUUID } from 'node:crypto';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { right } from 'fp-ts/Either';
import { START } from '../../domain/kernel/event';
import { newEvent, newEvents, succeeded } from '../contracts/event-store/event-samples';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';
import { readLog } from './support/load';
import { CATEGORY, openStore } from './support/open-store';

jest.setTimeout(120_000);

describeWithEventStore('a server on which others work, too', () => {
  let server: EventStoreServer;
  let client: EventStoreDBClient;
  let opened: ReturnType<typeof openStore>;
  let prefixes = 0;
  let prefix: string;
  beforeAll(async () => {
    server = await startEventStoreServer();
    client = EventStoreDBClient.connectionString(server.connectionString);
  });
  beforeEach(() => {
    prefix = `log${(prefixes += 1)}_`;
    opened = openStore(server, { prefix });
  });
  afterEach(() => opened.close());
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  const idsIn = async (store = opened.store): Promise<readonly string[]> => (await readLog(store)).map(({ id }) => id);

  describe.each<[string, (name: string) => Promise<unknown>]>([
    ['truncated', (name) => client.setStreamMetadata(name, { truncateBefore: 2 })],
    ['limited to its last event', (name) => client.setStreamMetadata(name, { maxCount: 1 })],
    ['deleted', (name) => client.deleteStream(name)],
    ['deleted and begun again', (name) => beginAgain(name)],
    ['deleted for good', (name) => client.tombstoneStream(name)],
  ])('a stream that was %s', (_, breakIt) => {
    it('is reported as such, and everything else continues', async () => {
      const { store } = opened;
      const [broken, whole] = [`${CATEGORY}-broken`, `${CATEGORY}-whole`];
      succeeded(await store.append(broken, 'no_stream', newEvents(4)));
      const others = newEvents(2);
      succeeded(await store.append(whole, 'no_stream', others));
      await breakIt(`${prefix}${broken}`);

      for (const direction of ['forwards', 'backwards'] as const) {
        const read = await store.readStream(broken, { direction });
        expect(read).toMatchObject({ left: { kind: 'broken_stream', streamId: broken } });
      }
      const later = newEvent();
      succeeded(await store.append(whole, 1, [later]));
      expect(succeeded(await store.readStream(whole)).map(({ id }) => id)).toEqual(
        [...others, later].map(({ id }) => id),
      );
      expect((await idsIn()).at(-1)).toBe(later.id);
    });

    it('is not created anew', async () => {
      const streamId = `${CATEGORY}-broken`;
      succeeded(await opened.store.append(streamId, 'no_stream', newEvents(4)));
      await breakIt(`${prefix}${streamId}`);

      const appended = await opened.store.append(streamId, 'no_stream', [newEvent()]);
      expect(appended).toMatchObject({ left: { streamId } });
    });
  });

  const beginAgain = async (name: string): Promise<void> => {
    await client.deleteStream(name);
    await client.appendToStream(name, jsonEvent({ type: 'again', data: {} }));
  };

  it('never returns a reader anything that is not of this log', async () => {
    const [before, after] = [newEvent(), newEvent()];
    succeeded(await opened.store.append(`${CATEGORY}-1`, 'no_stream', [before]));
    const strange = [
      binaryEvent({ type: 'binary', data: Uint8Array.from([0, 255, 254, 10]) }),
      binaryEvent({ type: 'MappingCreated', data: Buffer.from('{"half'), metadata: Buffer.from([255]) }),
      jsonEvent({ type: 'MappingCreated', data: { name: 'not ours' }, metadata: { revision: -1 } }),
    ];
    const names = [`foreign-${randomUUID()}`, `${prefix}foreign-1`, `${prefix}${CATEGORY}`, `x${prefix}${CATEGORY}-1`];
    for (const name of names) await client.appendToStream(name, strange);
    await client.setStreamMetadata(`${prefix}${CATEGORY}-1`, { custom: 'metadata' });
    const pages = opened.store.subscribeAll(START, { signal: AbortSignal.timeout(60_000) })[Symbol.asyncIterator]();
    expect(await pages.next()).toMatchObject({ value: { events: [{ id: before.id }] } });

    succeeded(await opened.store.append(`${CATEGORY}-1`, 0, [after]));
    expect(await pages.next()).toMatchObject({ value: { events: [{ id: after.id }] } });
    expect(await idsIn()).toEqual([before.id, after.id]);
    expect(await opened.store.head()).toEqual(right((await readLog(opened.store)).at(-1)?.position));
  });

  it('keeps logs of different prefixes separate, even when one prefix starts with the other', async () => {
    const others = ['', `${prefix}a_`].map((own) => openStore(server, { prefix: own }));
    const stores = [opened, ...others];
    const written = await Promise.all(
      stores.map(async ({ store }) => {
        const events = newEvents(3);
        succeeded(await store.append(`${CATEGORY}-same`, 'no_stream', events));
        return events.map(({ id }) => id);
      }),
    );
    for (const [at, { store }] of stores.entries()) {
      expect(succeeded(await store.readStream(`${CATEGORY}-same`)).map(({ id }) => id)).toEqual(written[at]);
      expect(await idsIn(store)).toEqual(written[at]);
    }
    await Promise.all(others.map(({ close }) => close()));
  });
});
