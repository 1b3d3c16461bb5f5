import { isRight } from 'fp-ts/Either';
import { changeExportJob } from '../../../commands/export-job/change-export-job';
import { changeInstance } from '../../../commands/instance/change-instance';
import { mappings } from '../../../commands/kit/aggregates';
import { loadStream } from '../../../commands/kit/load-stream';
import { changeMapping } from '../../../commands/mapping/change-mapping';
import { copyMapping } from '../../../commands/mapping/create-mapping';
import { deleteMapping } from '../../../commands/mapping/delete-mapping';
import { deleteSnapshot } from '../../../commands/snapshot/change-snapshot';
import { DEFAULT_LIFECYCLE } from '../../../domain/config';
import { mappingStream } from '../../../domain/mapping';
import { snapshotStream } from '../../../domain/snapshot';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

describe('a mapping with instances', () => {
  let system: InMemorySystem;
  beforeEach(async () => {
    system = createInMemorySystem();
    await system.configure({ type: 'ConfigureConcurrency', perAnalyst: 100, clusterTotal: 100 });
    await system.createMapping();
  });
  const remove = () => deleteMapping(system, 1, 'no use', system.context());
  const deletionOf = (instanceId: number) =>
    changeInstance(system, instanceId, { type: 'RequestDeletion', reason: 'no use' }, system.context());

  it('cannot be deleted as soon as an instance is requested', async () => {
    expectRight(await system.requestInstance());
    expect(expectLeft(await remove())).toMatchObject({
      code: 'RESOURCE_HAS_DEPENDENCIES',
      details: { mapping_id: 1, snapshot_count: 1 },
    });
  });

  const asSystem = () => system.context('system', 'system');
  const exportAs = async (report: 'ReportCompleted' | 'ReportFailed') => {
    expectRight(await system.requestInstance());
    await system.settled();
    for (const { jobId } of (await system.snapshot())?.jobs ?? []) {
      expectRight(await changeExportJob(system, jobId, { type: 'ClaimExportJob', workerId: 'w1' }, asSystem()));
      const outcome =
        report === 'ReportFailed'
          ? ({ type: report, errorMessage: 'no' } as const)
          : ({ type: report, rowCount: 1, sizeBytes: 1 } as const);
      expectRight(await changeExportJob(system, jobId, outcome, asSystem()));
    }
    await system.settled();
  };

  it('cannot be deleted while it has ready snapshots, even if their instances are deleted', async () => {
    const stop = system.start();
    await exportAs('ReportCompleted');
    expectRight(await deletionOf(1));
    await system.settled();
    await stop();
    expect((await system.instance())?.status).toBe('deleted');
    expect((await system.snapshot())?.status).toBe('ready');
    expect(expectLeft(await remove()).details).toMatchObject({ snapshot_count: 1 });
  });

  it('can be deleted as soon as the instances of its failed snapshots are deleted, together with those snapshots', async () => {
    const stop = system.start();
    await exportAs('ReportFailed');
    expect((await system.snapshot())?.status).toBe('failed');
    expect(expectLeft(await remove()).details).toMatchObject({ snapshot_count: 1 });
    expectRight(await deletionOf(1));
    await system.settled();
    await stop();
    expect(await system.snapshot()).toBeNull();
    expect((await system.typesOf(snapshotStream(1))).at(-1)).toBe('SnapshotDeleted');
    expectRight(await remove());
  });

  it('can be deleted before the failed snapshot of a deleted instance is deleted', async () => {
    const stop = system.start();
    await exportAs('ReportFailed');
    await stop();
    expectRight(await deletionOf(1));
    expectRight(await changeInstance(system, 1, { type: 'CompleteDeletion' }, asSystem()));
    expect((await system.snapshot())?.status).toBe('failed');
    expectRight(await remove());
  });

  it('can be deleted after its snapshots and their files are deleted', async () => {
    const stop = system.start();
    await exportAs('ReportCompleted');
    const path = (await system.snapshot())?.storagePath ?? '';
    expectRight(await system.objectStore.putText(`${path}nodes/Person/manifest.json`, '{}'));
    expect(expectLeft(await deleteSnapshot(system, 1, 'no use', system.context()))).toMatchObject({
      code: 'RESOURCE_HAS_DEPENDENCIES',
      details: { snapshot_id: 1, instance_id: 1 },
    });
    expectRight(await deletionOf(1));
    await system.settled();
    expectRight(await deleteSnapshot(system, 1, 'no use', system.context()));
    await system.settled();
    await stop();
    expect(expectRight(await system.objectStore.list(path))).toEqual([]);
    expectRight(await remove());
    expect(expectLeft(await deleteSnapshot(system, 1, 'no use', system.context()))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { snapshot_id: 1 },
    });
  });

  it('can be deleted when the instance ended before it had a snapshot', async () => {
    expectRight(await system.requestInstance());
    expectRight(await deletionOf(1));
    expectRight(await remove());
    expect(await system.typesOf(mappingStream(1))).toEqual([
      'MappingCreated',
      'MappingSnapshotPlanned',
      'MappingDeleted',
    ]);
  });

  it('can be deleted some time after an interrupted request', async () => {
    const plan = {
      type: 'PlanMappingSnapshot',
      version: 1,
      snapshotId: 9,
      instanceId: 9,
      goneSnapshotIds: [],
    } as const;
    expectRight(await changeMapping(system, 1, plan, system.context()));
    expect(expectLeft(await remove()).code).toBe('RESOURCE_HAS_DEPENDENCIES');
    system.advanceClock(121);
    expectRight(await remove());
  });

  it('forgets snapshots that are gone, so that it stays small after many instances', async () => {
    // Without processes, slots are not released.
    await system.configure({ type: 'ConfigureConcurrency', perAnalyst: 300, clusterTotal: 300 });
    const sizes: number[] = [];
    for (let count = 1; count <= 300; count++) {
      const requested = expectRight(await system.requestInstance());
      const instanceId = requested.state?.instanceId ?? 0;
      expectRight(await deletionOf(instanceId));
      const { state } = expectRight(await loadStream(system, mappings, mappingStream(1)));
      sizes.push(state?.snapshots.length ?? 0);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
    expectRight(await remove());
    expect((await system.typesOf(mappingStream(1))).at(-1)).toBe('MappingDeleted');
  });

  it('either gets the instance or is deleted, never both', async () => {
    for (let round = 1; round <= 20; round++) {
      const fresh = createInMemorySystem();
      await fresh.createMapping();
      const [requested, removed] = await Promise.all([
        fresh.requestInstance(),
        deleteMapping(fresh, 1, 'no use', fresh.context()),
      ]);
      expect(isRight(requested)).toBe(!isRight(removed));
    }
  });

  it('accepts fifty instances at once', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => system.requestInstance()));
    expect(all.filter(isRight)).toHaveLength(50);
    expect(expectLeft(await remove()).details).toMatchObject({ snapshot_count: 50 });
  });
});

describe('a mapping', () => {
  it('gets one version for each of many concurrent updates', async () => {
    const system = createInMemorySystem();
    await system.createMapping();
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const update = {
          type: 'UpdateMapping',
          actorName: 'Ada',
          name: `Round ${index}`,
          description: null,
          changeDescription: 'Without edges',
          nodeDefinitions: null,
          edgeDefinitions: [],
        } as const;
        return changeMapping(system, 1, update, system.context());
      }),
    );
    const versions = all.map((handled) => expectRight(handled).state?.versions.length ?? 0);
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
  });

  it('is copied for its new owner in its current version, independent of the original', async () => {
    const system = createInMemorySystem();
    await system.createMapping();
    const limits = DEFAULT_LIFECYCLE.mapping;
    const copy = { name: 'Mine', ownerName: 'Bob', limits };
    const { mappingId, state } = expectRight(await copyMapping(system, 1, copy, system.context('bob')));
    expect(mappingId).toBe(2);
    expect(state).toMatchObject({ ownerUsername: 'bob', name: 'Mine', versions: [{ version: 1 }], snapshots: [] });
    expectRight(await deleteMapping(system, 1, 'no use', system.context()));
    expect(expectLeft(await copyMapping(system, 1, copy, system.context('bob')))).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
      details: { mapping_id: 1 },
    });
    expectRight(await deleteMapping(system, 2, 'no use', system.context('bob')));
  });
});
