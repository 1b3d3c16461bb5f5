import { isRight, left } from 'fp-ts/Either';
import { type InstanceRequest, requestInstance } from '../../../commands/instance/request-instance';
import { StreamCache } from '../../../commands/kit/stream-cache';
import { deleteMapping } from '../../../commands/mapping/delete-mapping';
import { FOR_EVERYONE } from '../../../domain/instance';
import { START } from '../../../domain/kernel/event';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

const request: InstanceRequest = {
  mappingId: 1,
  mappingVersion: null,
  wrapperType: 'graphdb_b',
  name: 'My graph',
  description: '',
  ttl: null,
  inactivityTimeout: null,
  cpuCores: 2,
  access: FOR_EVERYONE,
};

describe('requesting an instance', () => {
  let system: InMemorySystem;
  beforeEach(async () => {
    system = createInMemorySystem();
    await system.createMapping();
  });
  const ask = (changes: Partial<InstanceRequest> = {}) =>
    requestInstance(system.ports, { ...request, ...changes }, system.context());

  it('uses the limits and lifetimes that are configured at that time', async () => {
    await system.configure({ type: 'ConfigureLifecycle', instance: { defaultTtl: 'P1D', maxTtl: 'P9D' } });
    await system.configure({ type: 'ConfigureConcurrency', perAnalyst: 1, clusterTotal: 1 });
    expect(expectRight(await ask({ ttl: 'P8D' })).state).toMatchObject({ ttl: 'P8D' });
    expect(expectLeft(await ask())).toMatchObject({ details: { current_count: 1, max_allowed: 1 } });
    await system.configure({ type: 'ConfigureConcurrency', perAnalyst: 2, clusterTotal: 2 });
    expect(expectRight(await ask()).state).toMatchObject({ ttl: 'P1D' });
  });

  it('reserves a slot first and belongs to the caller', async () => {
    const { state } = expectRight(await ask());
    expect(state).toMatchObject({
      instanceId: 1,
      ownerUsername: 'ada',
      mappingName: 'Friends',
      mappingVersion: 1,
      ttl: 'PT24H',
      inactivityTimeout: 'PT4H',
      status: 'waiting_for_snapshot',
      reportedUrl: null,
    });
    expect(state?.urlSlug).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { events } = expectRight(await system.store.readAll(START, 100));
    expect(events.map(({ type }) => type)).toEqual([
      'MappingCreated',
      'SlotReserved',
      'MappingSnapshotPlanned',
      'InstanceRequested',
    ]);
  });

  it('requires a mapping', async () => {
    expect(expectLeft(await ask({ mappingId: 99 }))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { mapping_id: 99 },
    });
  });

  it('requires an existing version of the mapping', async () => {
    expect(isRight(await ask({ mappingVersion: 1 }))).toBe(true);
    expect(expectLeft(await ask({ mappingVersion: 2 }))).toMatchObject({
      code: 'MAPPING_VERSION_NOT_FOUND',
      details: { mapping_id: 1, version: 2, latest_version: 1 },
    });
  });

  it('reports an invalid lifetime before a missing mapping, and a missing mapping before a reached limit', async () => {
    await system.configure({ type: 'ConfigureConcurrency', perAnalyst: 2, clusterTotal: 3 });
    expect(expectLeft(await ask({ mappingId: 99, ttl: 'P8D' })).code).toBe('VALIDATION_FAILED');
    await ask();
    await ask();
    expect(expectLeft(await ask({ mappingId: 99 })).code).toBe('RESOURCE_NOT_FOUND');
    expect(expectLeft(await ask())).toMatchObject({
      code: 'CONCURRENCY_LIMIT_EXCEEDED',
      details: { limit_type: 'per_analyst', current_count: 2, max_allowed: 2 },
    });
  });

  it('a rejected request does not keep a slot', async () => {
    await ask({ mappingId: 99 });
    await ask({ ttl: 'P8D' });
    expect((await system.slots()).size).toBe(0);
  });

  it('releases its slot at once when the mapping is deleted meanwhile', async () => {
    const racing: typeof system.ports.changeCapacity = async (command, context) => {
      const reserved = await system.ports.changeCapacity(command, context);
      if (command.type === 'ReserveSlot')
        expectRight(await deleteMapping(system, 1, 'deleted by ada', system.context()));
      return reserved;
    };
    const refused = await requestInstance({ ...system.ports, changeCapacity: racing }, request, system.context());
    expect(expectLeft(refused).code).toBe('RESOURCE_NOT_FOUND');
    expect((await system.slots()).size).toBe(0);
  });

  it('reads the stream of the mapping once', async () => {
    let reads = 0;
    const store: typeof system.store = {
      ...system.store,
      readStream: (streamId, options) => {
        if (streamId === 'mapping-1') reads += 1;
        return system.store.readStream(streamId, options);
      },
    };
    const ports = { ...system.ports, store, streams: new StreamCache() };
    for (let count = 1; count <= 2; count++) {
      expectRight(await requestInstance(ports, request, system.context()));
      expect(reads).toBe(count);
    }
  });

  it.each([
    ['is too large', { kind: 'too_large', streamId: 'instance-1', bytes: 9, maxBytes: 8 }, 'PAYLOAD_TOO_LARGE', 0],
    [
      'has an unknown outcome',
      { kind: 'unknown_outcome', streamId: 'instance-1', reason: 'lost' },
      'SERVICE_UNAVAILABLE',
      1,
    ],
  ] as const)('keeps its slot only if its event may be stored: its event %s', async (_what, error, code, slots) => {
    const store: typeof system.store = {
      ...system.store,
      append: (streamId, ...rest) =>
        streamId === 'instance-1' ? Promise.resolve(left(error)) : system.store.append(streamId, ...rest),
    };
    expect(expectLeft(await requestInstance({ ...system.ports, store }, request, system.context())).code).toBe(code);
    expect((await system.slots()).size).toBe(slots);
  });
});
