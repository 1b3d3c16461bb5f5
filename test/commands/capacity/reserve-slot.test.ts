import { isLeft, isRight, left } from 'fp-ts/Either';
import { systemClock } from '../../../adapters/system/system-clock';
import { remainingTimeMs, withTimeLimit } from '../../../adapters/system/time-limit';
import { capacityCommands, type ChangeCapacity } from '../../../commands/capacity/reserve-slot';
import { heldSlots } from '../../../commands/jobs/load-reconciled';
import { capacities } from '../../../commands/kit/aggregates';
import { requestContext } from '../../../commands/kit/command-context';
import { newEvent } from '../../../commands/kit/handle-command';
import { loadStream, PAGE } from '../../../commands/kit/load-stream';
import { StreamCache } from '../../../commands/kit/stream-cache';
import { CAPACITY_STREAM } from '../../../domain/capacity';
import { type EventStore } from '../../../domain/ports/event-store';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';

const ids = createInMemoryIdGenerator();
const limits = { perAnalyst: 5, clusterTotal: 50 };
const storeInMemory = () => createInMemoryEventStore(systemClock);
const gateOn = (store: EventStore) => capacityCommands({ store, streams: new StreamCache(), clock: systemClock, ids });
const reserve = (gate: ChangeCapacity, instanceId: number, ownerUsername: string, within = limits) =>
  gate(
    { type: 'ReserveSlot', instanceId, ownerUsername, limits: within },
    requestContext(ids, { username: ownerUsername, role: 'analyst' }, 'request'),
  );
const reservedIn = async (store: EventStore): Promise<number> =>
  expectRight(await store.readStream(CAPACITY_STREAM)).length;

describe('reserving slots', () => {
  it.each([
    ['the cluster', 50, (n: number) => `user-${n}`],
    ['one owner', 5, () => 'ada'],
  ])(
    'grants exactly the limit of %s to two hundred concurrent requests through two replicas',
    async (_whose, expected, owner) => {
      for (let round = 0; round < 20; round++) {
        const store = storeInMemory();
        const gates = [gateOn(store), gateOn(store)] as const;
        const results = await Promise.all(
          Array.from({ length: 200 }, (_, n) => reserve(gates[n % 2 === 0 ? 0 : 1], n + 1, owner(n))),
        );
        expect(results.filter(isRight)).toHaveLength(expected);
        expect(await reservedIn(store)).toBe(expected);
        for (const result of results) {
          if (isLeft(result))
            expect(result.left.details).toMatchObject({ current_count: expected, max_allowed: expected });
        }
      }
    },
  );

  it('answers commands that wait together with one append', async () => {
    const inner = storeInMemory();
    let appends = 0;
    const store: EventStore = {
      ...inner,
      append: (...args) => {
        appends += 1;
        return inner.append(...args);
      },
    };
    const gate = gateOn(store);
    await Promise.all(Array.from({ length: 40 }, (_, n) => reserve(gate, n + 1, `user-${n}`)));
    expect(await reservedIn(store)).toBe(40);
    expect(appends).toBeLessThanOrEqual(3);
  });

  it('appends at most two hundred commands at once, in their order of arrival', async () => {
    const inner = storeInMemory();
    const sizes: number[] = [];
    const store: EventStore = {
      ...inner,
      append: (streamId, expected, events) => {
        sizes.push(events.length);
        return inner.append(streamId, expected, events);
      },
    };
    const gate = gateOn(store);
    const boundless = { perAnalyst: 5, clusterTotal: 1_000 };
    const results = await Promise.all(
      Array.from({ length: 501 }, (_, n) => reserve(gate, n + 1, `user-${n}`, boundless)),
    );
    expect(results.filter(isRight)).toHaveLength(501);
    expect(sizes).toEqual([1, 200, 200, 100]);
    const reserved = expectRight(await inner.readStream(CAPACITY_STREAM)).map(({ data }) => data);
    expect(reserved).toEqual(
      Array.from({ length: 501 }, (_, n) => expect.objectContaining({ instanceId: n + 1 }) as unknown),
    );
  });

  it('appends within the timeout of the command that has waited longest', async () => {
    const inner = storeInMemory();
    const remaining: number[] = [];
    const store: EventStore = {
      ...inner,
      append: (...args) => {
        remaining.push(remainingTimeMs(-1));
        return inner.append(...args);
      },
    };
    const gate = gateOn(store);
    await Promise.all([1_000, 100_000, 200_000].map((ms, n) => withTimeLimit(ms, () => reserve(gate, n + 1, 'ada'))));
    expect(remaining.map((ms) => Math.ceil(ms / 1_000))).toEqual([1, 100]);
  });

  it('waits after a revision conflict before it retries', async () => {
    const inner = storeInMemory();
    const lost: number[] = [];
    const store: EventStore = {
      ...inner,
      append: (streamId, ...rest) =>
        lost.length < 2
          ? Promise.resolve(left({ kind: 'wrong_expected_revision', streamId, actual: null }))
          : inner.append(streamId, ...rest),
    };
    const afterLostRace = (count: number): Promise<void> => {
      lost.push(count);
      return Promise.resolve();
    };
    const gate = capacityCommands({ store, clock: systemClock, ids, afterLostRace });
    expectRight(await reserve(gate, 1, 'ada'));
    expect(lost).toEqual([1, 2]);
  });

  it('reads only new events of its stream', async () => {
    const inner = storeInMemory();
    const from: (number | undefined)[] = [];
    const store: EventStore = {
      ...inner,
      readStream: (streamId, options) => {
        from.push(options?.fromRevision);
        return inner.readStream(streamId, options);
      },
    };
    const [gate, other] = [gateOn(store), gateOn(inner)];
    for (let id = 1; id <= 3; id++) expectRight(await reserve(gate, id, 'ada'));
    expectRight(await reserve(other, 4, 'ada'));
    expectRight(await reserve(gate, 5, 'ada'));
    expect(expectLeft(await reserve(gate, 6, 'ada')).details).toMatchObject({ current_count: 5 });
    // Each decision reads only what was appended since the previous one: its own last event, and events of others.
    expect(from).toEqual([0, 0, 1, 2, 4]);
  });

  it('reads a long stream in pages', async () => {
    const inner = storeInMemory();
    const context = requestContext(ids, { username: 'ada', role: 'analyst' }, 'request');
    const changes = Array.from({ length: PAGE + 1 }, (_, n) => {
      const data = { instanceId: Math.floor(n / 2) + 1, ownerUsername: 'ada' };
      const type = n % 2 === 0 ? 'SlotReserved' : 'SlotReleased';
      return newEvent({ type, data }, capacities.catalogue, ids.uuid(), context, systemClock.now());
    });
    expectRight(await inner.append(CAPACITY_STREAM, 'no_stream', changes));
    const sizes: number[] = [];
    const store: EventStore = {
      ...inner,
      readStream: async (streamId, options) => {
        const read = await inner.readStream(streamId, options);
        sizes.push(expectRight(read).length);
        return read;
      },
    };
    const full = expectLeft(await reserve(gateOn(store), 1, 'ada', { perAnalyst: 1, clusterTotal: 50 }));
    expect(full.details).toMatchObject({ current_count: 1 });
    expect(sizes).toEqual([PAGE, 1]);
    const slots = expectRight(await loadStream({ store }, heldSlots, CAPACITY_STREAM)).state;
    expect([...slots.keys()]).toEqual([PAGE / 2 + 1]);
    expect(sizes).toEqual([PAGE, 1, PAGE, 1]);
  });

  it('accepts the next one as soon as a slot is released', async () => {
    const gate = gateOn(storeInMemory());
    for (let id = 1; id <= 5; id++) expectRight(await reserve(gate, id, 'ada'));
    expect(expectLeft(await reserve(gate, 6, 'ada')).code).toBe('CONCURRENCY_LIMIT_EXCEEDED');
    const context = requestContext(ids, { username: 'system', role: 'system' }, 'request');
    expectRight(await gate({ type: 'ReleaseSlot', instanceId: 3 }, context));
    expectRight(await reserve(gate, 6, 'ada'));
  });

  it('fails for all waiting commands while the store is unavailable, and recovers afterwards', async () => {
    const inner = storeInMemory();
    let away = true;
    const store: EventStore = {
      ...inner,
      append: (...args) =>
        away ? Promise.resolve(left({ kind: 'unavailable', reason: 'away' })) : inner.append(...args),
    };
    const gate = gateOn(store);
    const results = await Promise.all([reserve(gate, 1, 'ada'), reserve(gate, 2, 'bob')]);
    expect(results.map((result) => expectLeft(result).code)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    away = false;
    expectRight(await reserve(gate, 1, 'ada'));
  });

  it('survives a store that throws', async () => {
    const inner = storeInMemory();
    let broken = true;
    const store: EventStore = {
      ...inner,
      readStream: (...args) => (broken ? Promise.reject(new Error('bug')) : inner.readStream(...args)),
    };
    const gate = gateOn(store);
    expect(isLeft(await reserve(gate, 1, 'ada'))).toBe(true);
    broken = false;
    expectRight(await reserve(gate, 1, 'ada'));
  });
});
