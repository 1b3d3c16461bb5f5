import { cleanUpAfterTests, type TestCleanupPorts } from '../../../commands/cleanup/clean-up-after-tests';
import { expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { waitFor } from '../../support/wait-for';

describe('the cleanup after end-to-end tests', () => {
  let system: InMemorySystem;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    system = createInMemorySystem();
    stop = system.start();
    await system.createMapping();
    expectRight(await system.requestInstance());
    await system.settled();
  });
  afterEach(() => stop());

  const owned = { instance: [1], snapshot: [1], mapping: [1] };
  const cleanUp = async (changes: Partial<TestCleanupPorts> = {}) => {
    const snapshot = await system.snapshot();
    const ports: TestCleanupPorts = {
      ...system.ports,
      objectStore: system.objectStore,
      podRuntime: system.pods,
      untilInstanceIsGone: async (id) => {
        await waitFor('the instance is deleted', async () => (await system.instance(id))?.status === 'deleted');
        return true;
      },
      findOwned: (resource) =>
        Promise.resolve(
          owned[resource].map((id) => ({
            id,
            storagePath: resource === 'snapshot' ? (snapshot?.storagePath ?? null) : null,
          })),
        ),
      ...changes,
    };
    return expectRight(await cleanUpAfterTests(ports, ['ada'], system.context('olivia', 'admin'))).result;
  };

  it('deletes instances, snapshots with their files, and mappings, and is recorded', async () => {
    await system.completeSnapshot();
    const path = (await system.snapshot())?.storagePath ?? '';
    expectRight(await system.objectStore.putText(`${path}nodes/a.parquet`, '12345'));
    expect(await cleanUp()).toEqual({
      cleanupId: expect.any(String) as string,
      instanceIds: [1],
      snapshotIds: [1],
      mappingIds: [1],
      podNames: [],
      filesDeleted: 1,
      bytesDeleted: 5,
      errors: [],
    });
    expect(expectRight(await system.objectStore.list(path))).toEqual([]);
  });

  it('ends pods whose instance is deleted or never existed, and no others', async () => {
    const spec = {
      life: 1,
      wrapperType: 'graphdb_a',
      ownerUsername: 'ada',
      memoryBytes: 1,
      cpuCores: 1,
      instanceUrl: '',
    } as const;
    expectRight(await system.pods.createPod({ ...spec, snapshotBytes: 1, instanceId: 77, urlSlug: 'lost' }));
    expectRight(await system.requestInstance('bob'));
    await system.settled();
    const others = [...system.pods.running.values()].filter(({ instanceId }) => instanceId === 2);
    expect((await cleanUp()).podNames).toEqual(['graph-lost-1']);
    expect([...system.pods.running.values()]).toEqual(others);
  });

  it('continues after a failed deletion, reports it, and counts a snapshot that is deleted already', async () => {
    const result = await cleanUp({
      untilInstanceIsGone: () => Promise.resolve(false),
      findOwned: (resource) =>
        Promise.resolve(resource === 'instance' ? [{ id: 1, storagePath: null }] : [{ id: 9, storagePath: null }]),
    });
    expect(result).toMatchObject({ instanceIds: [], snapshotIds: [9], mappingIds: [] });
    expect(result.errors).toHaveLength(2);
    expect(result.errors[0]).toMatch(/^instance 1: .*is stopping/);
  });
});
