import { capacityCommands } from '../../../commands/capacity/reserve-slot';
import { changeInstance } from '../../../commands/instance/change-instance';
import { requestInstance } from '../../../commands/instance/request-instance';
import { changeMapping } from '../../../commands/mapping/change-mapping';
import { createMapping } from '../../../commands/mapping/create-mapping';
import { FOR_EVERYONE } from '../../../domain/instance';
import { mappingStream } from '../../../domain/mapping';
import { type EventStore } from '../../../domain/ports/event-store';
import { createMappingCommand } from '../../support/domain-samples';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

/**
 * A store whose process dies at its nth append: before the write, or after the write and before the acknowledgement.
 */
const dyingAt = (store: EventStore, nth: number, when: 'before' | 'after'): EventStore => {
  let appends = 0;
  return {
    ...store,
    append: async (...args) => {
      const dies = ++appends === nth;
      if (dies && when === 'before') throw new Error('killed');
      const result = await store.append(...args);
      if (dies) throw new Error('killed');
      return result;
    },
  };
};

const REQUEST = {
  ...({ mappingId: 1, mappingVersion: null, wrapperType: 'graphdb_a', name: 'graph', description: '' } as const),
  ...{ ttl: null, inactivityTimeout: null, cpuCores: 2, access: FOR_EVERYONE },
};

describe('a command that is repeated after its process died', () => {
  let system: InMemorySystem;
  beforeEach(() => {
    system = createInMemorySystem();
  });
  const { type: _type, mappingId: _mappingId, ...mapping } = createMappingCommand();

  it('creates one mapping, and returns the first answer again', async () => {
    const context = system.context();
    const dying = { ...system.ports, store: dyingAt(system.store, 1, 'after') };
    await expect(createMapping(dying, mapping, context)).rejects.toThrow('killed');
    const repeated = expectRight(await createMapping(system, mapping, context));
    expect(repeated.mappingId).toBe(1);
    expect(expectRight(await createMapping(system, mapping, context))).toEqual(repeated);
    expect(expectRight(await createMapping(system, mapping, system.context())).mappingId).toBe(2);
  });

  it('returns its own result, not later changes of others', async () => {
    await system.createMapping();
    const rename = (name: string) => ({
      ...({ type: 'UpdateMapping', actorName: 'Ada', name, description: null } as const),
      ...{ changeDescription: null, nodeDefinitions: null, edgeDefinitions: null },
    });
    const context = system.context();
    const first = expectRight(await changeMapping(system, 1, rename('One'), context));
    expectRight(await changeMapping(system, 1, rename('Two'), system.context()));
    expect(expectRight(await changeMapping(system, 1, rename('One'), context))).toEqual(first);
    expect(await system.typesOf(mappingStream(1))).toHaveLength(3);
  });

  it.each([1, 2, 3].flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]))(
    'requests one instance and takes one slot when it died at append %i, %s it',
    async (nth, when) => {
      await system.createMapping();
      const context = system.context();
      const base = { ...system.ports, store: dyingAt(system.store, nth, when) };
      const dying = { ...base, changeCapacity: capacityCommands(base) };
      await requestInstance(dying, REQUEST, context).catch(() => undefined);
      const { state } = expectRight(await requestInstance(system.ports, REQUEST, context));
      const again = expectRight(await requestInstance(system.ports, REQUEST, context));
      expect(again.state).toEqual(state);
      expect([...(await system.slots()).keys()]).toEqual([state?.instanceId]);
      const requested = await Promise.all([1, 2, 3].map((id) => system.instance(id)));
      expect(requested.filter((one) => one !== null)).toHaveLength(1);
    },
  );

  it('requests an instance anew when the reservation of the first run has lapsed', async () => {
    await system.createMapping();
    const context = system.context();
    const base = { ...system.ports, store: dyingAt(system.store, 2, 'before') };
    const dying = { ...base, changeCapacity: capacityCommands(base) };
    await requestInstance(dying, REQUEST, context).catch(() => undefined);
    const lapse = { type: 'AbandonInstance', instanceId: 1 } as const;
    expectRight(await changeInstance(system, 1, lapse, system.context('w1', 'system')));
    const { state } = expectRight(await requestInstance(system.ports, REQUEST, context));
    expect(state).toMatchObject({ instanceId: 2, name: 'graph', status: 'waiting_for_snapshot' });
  });
});
