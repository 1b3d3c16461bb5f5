import { expireReservation } from '../../../commands/capacity/reserve-slot';
import { DEFAULT_CONCURRENCY } from '../../../domain/config';
import { instanceStream } from '../../../domain/instance';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

describe('an expired reservation', () => {
  let system: InMemorySystem;
  beforeEach(async () => {
    system = createInMemorySystem();
    await system.createMapping();
  });
  const lapse = () => expireReservation(system.ports, 1, system.context('system', 'system'));

  it('frees its slot and excludes a delayed request', async () => {
    const slow = { ...system.ports };
    // The slot is reserved, and the reservation expires before the request continues.
    slow.changeCapacity = async (command, context) => {
      const reserved = await system.ports.changeCapacity(command, context);
      expectRight(await lapse());
      return reserved;
    };
    expect(expectLeft(await system.requestInstance('ada', slow)).code).toBe('SERVICE_UNAVAILABLE');
    expect((await system.slots()).size).toBe(0);
    expect(await system.typesOf(instanceStream(1))).toEqual(['InstanceAbandoned']);
  });

  it('keeps the slot of an instance that was requested in time', async () => {
    expectRight(await system.requestInstance());
    expectRight(await lapse());
    expect((await system.slots()).size).toBe(1);
    expect((await system.instance())?.status).toBe('waiting_for_snapshot');
  });

  it('may be reported twice', async () => {
    const limits = DEFAULT_CONCURRENCY;
    const reserve = { type: 'ReserveSlot', instanceId: 1, ownerUsername: 'ada', limits } as const;
    expectRight(await system.ports.changeCapacity(reserve, system.context()));
    expectRight(await lapse());
    expectRight(await lapse());
    expect((await system.slots()).size).toBe(0);
    expect(await system.typesOf(instanceStream(1))).toHaveLength(1);
  });
});
