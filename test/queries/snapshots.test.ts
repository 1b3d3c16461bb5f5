import { readConnectionTo } from '../../adapters/postgres/connection';
import { exportJobQueue, listJobsOfWorkers } from '../../queries/export-jobs';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { findMapping, findMappingTree } from '../../queries/mappings';
import { findSnapshot, listMappingSnapshots } from '../../queries/snapshots';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from '../projections/sample-events';
import {
  jobCompleted,
  jobPlanned,
  OLIVIA,
  snapshotFailed,
  snapshotRequested,
  snapshotStarted,
} from '../support/domain-samples';

const AT = '2026-03-02T08:00:00.000Z';

describe('snapshots', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    const { store } = fixture;
    await appendEvents(store, 'mapping-1', [mappingCreated(1)]);
    // 1 to 3 are of deleted and running instances, 20 is in progress, 21 has failed.
    for (let n = 1; n <= 3; n++) await appendInstance(store, n);
    const of = (snapshotId: number) => ({ snapshotId, instanceId: snapshotId });
    for (const [snapshotId, ...history] of [
      [20, { ...snapshotStarted, data: of(20) }],
      [21, { ...snapshotFailed, data: { ...snapshotFailed.data, ...of(21) } }],
    ] as const) {
      const requested = { ...snapshotRequested, data: { ...snapshotRequested.data, ...of(snapshotId) } };
      await appendEvents(store, `snapshot-${snapshotId}`, [requested, ...history], AT);
    }
    for (const jobId of [31, 32]) {
      const planned = jobPlanned(jobId);
      const claimed = { jobId, workerId: 'w1', attempt: 1, leaseUntil: AT };
      await appendEvents(store, `export_job-${jobId}`, [
        { ...planned, data: { ...planned.data, snapshotId: 20, entityName: `Entity${jobId}` } },
        { type: 'ExportJobClaimed', data: { ...claimed, snapshotId: 20 } },
      ]);
    }
    const completed = jobCompleted(31);
    await appendEvents(store, 'export_job-31', [{ ...completed, data: { ...completed.data, snapshotId: 20 } }]);
    const running = fixture.run();
    await running.caughtUp();
    expect(running.trouble).toEqual([]);
    await running.stop();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  it('are listed newest first, with the number of their instances', async () => {
    const { items, total } = await listMappingSnapshots(db, OLIVIA, 1, {}, { offset: 0, limit: 4 });
    expect(total).toBe(5);
    expect(items.map(({ id, instance_count }) => [id, instance_count])).toEqual([
      [21, 0],
      [20, 0],
      [3, 0],
      [2, 1],
    ]);
  });

  it('show the progress of a running export', async () => {
    const progress = { current_step: 'Entity32', completed_steps: 1, total_steps: 2 };
    expect(await findSnapshot(db, OLIVIA, 20)).toMatchObject({ status: 'creating', progress });
    expect(await findSnapshot(db, OLIVIA, 21)).toMatchObject({
      status: 'failed',
      progress: null,
      error_message: 'node Person: no such table',
    });
  });

  it('have export jobs, each held by the worker that claimed it until it ends', async () => {
    const claimed = [{ jobId: 32, attempt: 1 }];
    expect(await exportJobQueue(db).heldBy('w1')).toEqual(claimed);
    expect(await exportJobQueue(db).heldBy('w')).toEqual([]);
    expect(await listJobsOfWorkers(db, 'w')).toEqual(claimed);
  });

  it('were last used when one of their instances last started, ran or ended', async () => {
    expect((await findSnapshot(db, OLIVIA, 3))?.last_used_at).toBe('2026-03-01T12:00:00.000Z');
    expect((await findSnapshot(db, OLIVIA, 20))?.last_used_at).toBeNull();
  });

  it('list their instances without deleted ones', async () => {
    expect((await findSnapshot(db, OLIVIA, 2))?.instances).toEqual([{ id: 2, name: 'graph 2', status: 'running' }]);
    expect((await findSnapshot(db, OLIVIA, 3))?.instances).toEqual([]);
    expect(await findSnapshot(db, OLIVIA, 99)).toBeNull();
  });

  it('are listed in the tree of their mapping under their version', async () => {
    const mapping = await findMapping(db, 1);
    if (mapping === null) throw new Error('The mapping is missing.');
    const tree = await findMappingTree(db, OLIVIA, mapping, { includeInstances: true, status: 'pending' });
    expect(tree.totals).toEqual({ version_count: 1, snapshot_count: 3, instance_count: 2 });
    expect(tree.versions[0]?.snapshots.map(({ id }) => id)).toEqual([3, 2, 1]);
    const failed = await findMappingTree(db, OLIVIA, mapping, { includeInstances: true, status: 'failed' });
    expect(failed.versions[0]).toMatchObject({ snapshot_count: 1, snapshots: [{ id: 21, instances: [] }] });
  });
});
