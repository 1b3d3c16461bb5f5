import { type Position, type StoredEvent } from '../../../domain/kernel/event';
import { type ParkedEventStore } from '../../../domain/ports/feed-consumer';

const STREAM = 'process_instance_startup-1';

const event = (position: number): StoredEvent => ({
  id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  streamId: `instance-${position}`,
  revision: 3,
  position: String(position) as Position,
  type: 'InstanceRequested',
  schemaVersion: 1,
  data: {},
  metadata: { commandId: '', correlationId: '', causationId: '', actor: 'ada', role: 'analyst', occurredAt: '' },
  recordedAt: '2026-03-01T12:00:00.000Z',
});

/** The contract of stores of parked events. `open` returns an empty one. */
export const parkedEventsContract = (open: () => Promise<ParkedEventStore>): void => {
  describe('the parked events of a consumer of the feed', () => {
    let parked: ParkedEventStore;
    beforeEach(async () => {
      parked = await open();
    });
    const first = async (): Promise<string | undefined> => (await parked.parkedFor(STREAM, 1))[0]?.position;

    it('are empty at first', async () => {
      expect(await parked.heldStreams()).toEqual(new Set());
      expect(await parked.parkedFor(STREAM, 10)).toEqual([]);
      expect(await parked.parkIfBlocked(STREAM, event(9))).toBe(false);
      expect(await parked.heldStreams()).toEqual(new Set());
    });

    it('are kept in the order of the log, each with its place', async () => {
      await parked.park(STREAM, event(9), 'a bug', 4);
      expect(await parked.parkIfBlocked(STREAM, event(10))).toBe(true);
      expect(await parked.parkIfBlocked('process_instance_startup-2', event(10))).toBe(false);
      expect(await parked.heldStreams()).toEqual(new Set([STREAM]));
      expect(await parked.parkedFor(STREAM, 10)).toEqual([
        { position: '9', eventStreamId: 'instance-9', eventRevision: 3 },
        { position: '10', eventStreamId: 'instance-10', eventRevision: 3 },
      ]);
      await parked.recordFailure(STREAM, event(9).position, 'still a bug');
      expect(await first()).toBe('9');
      await parked.remove(STREAM, event(9).position);
      expect(await first()).toBe('10');
      await parked.remove(STREAM, event(10).position);
      expect(await parked.heldStreams()).toEqual(new Set());
    });

    it('are unchanged when an event is parked again', async () => {
      for (let time = 1; time <= 2; time++) {
        await parked.park(STREAM, event(9), 'a bug', 4);
        expect(await parked.parkIfBlocked(STREAM, event(10))).toBe(true);
      }
      await parked.remove(STREAM, event(9).position);
      await parked.remove(STREAM, event(10).position);
      expect(await parked.parkedFor(STREAM, 10)).toEqual([]);
    });
  });
};
