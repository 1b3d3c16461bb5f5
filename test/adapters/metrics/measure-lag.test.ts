import { left } from 'fp-ts/Either';
import { measureLag } from '../../../adapters/metrics/measure-system';
import { type Position, START } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { newEvent, succeeded } from '../../contracts/event-store/event-samples';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('the lag of the readers of the log', () => {
  let store: EventStore;
  const positions: Position[] = [];
  beforeEach(async () => {
    let now = at(0);
    store = createInMemoryEventStore({ now: () => now });
    positions.length = 0;
    for (const second of [10, 20, 30]) {
      now = at(second);
      positions.push(succeeded(await store.append(`a-${second}`, 'no_stream', [newEvent()])).position);
    }
  });

  it('is the age of the oldest event that each has not passed, and absent for a reader at the end', async () => {
    const [first, , last] = positions;
    const lag = await measureLag(store, { new: START, slow: first!, there: last!, alike: first! }, at(60));
    expect(lag).toEqual({ new: 50, slow: 40, there: 0, alike: 40 });
  });

  it('is unknown while the log is unavailable', async () => {
    const away = () => Promise.resolve(left({ kind: 'unavailable', reason: 'away' } as const));
    expect(await measureLag({ ...store, head: away }, { one: START }, at(60))).toBeNull();
    expect(await measureLag({ ...store, readAll: away }, { one: START }, at(60))).toBeNull();
  });
});
