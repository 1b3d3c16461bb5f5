import { right } from 'fp-ts/Either';
import { START } from '../../../domain/kernel/event';
import { type EventStore, type LogIdentity } from '../../../domain/ports/event-store';
import { succeeded } from '../event-store/event-samples';

interface Opened {
  readonly store: EventStore;
  readonly identity: LogIdentity;
  close(): Promise<void>;
}

/** The contract of log identities. `open` returns an empty, unused log. */
export const describeLogIdentity = (name: string, open: () => Promise<Opened>): void => {
  describe(`the identity of a log: ${name}`, () => {
    let opened: Opened;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('is the first id that was assigned, and not an event', async () => {
      const { identity, store } = opened;
      expect(await identity.read()).toEqual(right(null));

      expect(await identity.ensure('first')).toEqual(right('first'));
      expect(await identity.ensure('second')).toEqual(right('first'));
      expect(await identity.read()).toEqual(right('first'));
      expect(succeeded(await store.head())).toBe(START);
    });

    it('is unique, even when many assign an id at the same time', async () => {
      const given = await Promise.all(['a', 'b', 'c', 'd'].map((id) => opened.identity.ensure(id)));

      expect(new Set(given.map(succeeded)).size).toBe(1);
    });
  });
};
