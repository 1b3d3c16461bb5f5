import { type InstanceStatus } from '../../../domain/instance';
import { snapshot, type SnapshotCommand, type SnapshotEvent, snapshotName } from '../../../domain/snapshot';
import {
  snapshotDeleted,
  snapshotFailed,
  snapshotReady,
  snapshotRequested,
  snapshotStarted,
} from '../../support/domain-samples';
import { given } from '../../support/given-when-then';

const request: SnapshotCommand = { type: 'RequestSnapshot', ...snapshotRequested.data };
const complete: SnapshotCommand = {
  type: 'CompleteSnapshot',
  sizeBytes: 300,
  nodeCounts: { Person: 2 },
  edgeCounts: { KNOWS: 1 },
};
const fail = {
  type: 'FailSnapshot',
  errorCode: 'DATA_LOAD_ERROR',
  errorMessage: 'node Person: no such table',
} as const satisfies SnapshotCommand;
const remove = (usedBy: InstanceStatus | null): SnapshotCommand => ({
  type: 'DeleteSnapshot',
  reason: 'no use',
  usedBy,
});

describe('snapshot', () => {
  it('is requested once', () => {
    given(snapshot).when(request).happens(snapshotRequested);
    given(snapshot, snapshotRequested).when(request).changesNothing();
  });

  it('is creating from the first claim', () => {
    given(snapshot, snapshotRequested).when({ type: 'StartExport' }).happens(snapshotStarted);
    given(snapshot, snapshotRequested, snapshotStarted).when({ type: 'StartExport' }).changesNothing();
  });

  it.each([
    ['pending', [snapshotRequested]],
    ['creating', [snapshotRequested, snapshotStarted]],
  ])('becomes ready or failed while %s', (_status, history) => {
    given(snapshot, ...history)
      .when(complete)
      .happens(snapshotReady);
    given(snapshot, ...history)
      .when(fail)
      .happens(snapshotFailed);
  });

  it('stays ready', () => {
    const ready = given(snapshot, snapshotRequested, snapshotReady);
    ready.when(complete).changesNothing();
    ready.when(fail).isRefused('INVALID_STATE_TRANSITION', { snapshot_id: 3, current_status: 'ready' });
    ready.when({ type: 'StartExport' }).isRefused('INVALID_STATE_TRANSITION', { current_status: 'ready' });
  });

  it.each([
    ['pending', [snapshotRequested]],
    ['creating', [snapshotRequested, snapshotStarted]],
    ['ready', [snapshotRequested, snapshotReady]],
    ['failed', [snapshotRequested, snapshotFailed]],
  ])('is deleted while it is %s, unless its instance needs it', (_status, history) => {
    const before = given(snapshot, ...history);
    before.when(remove(null)).happens(snapshotDeleted);
    before.when(remove('starting')).isRefused('RESOURCE_HAS_DEPENDENCIES', {
      snapshot_id: 3,
      instance_id: 7,
      instance_status: 'starting',
    });
  });

  it('is not found after its deletion', () => {
    const deleted = given(snapshot, snapshotRequested, snapshotReady, snapshotDeleted);
    for (const command of [complete, fail, { type: 'StartExport' } as const, remove(null)]) {
      deleted.when(command).isRefused('RESOURCE_NOT_FOUND');
    }
  });

  describe('whose jobs an external submitter plans', () => {
    const unplanned = { ...snapshotRequested, data: { ...snapshotRequested.data, jobs: [] } };
    const query = { queryId: 'q1', nextUri: 'http://engine/1', submittedAt: '2026-03-01T12:00:00.000Z' };
    const jobs = [{ jobId: 11, jobType: 'node' as const, entityName: 'Person', storagePath: 's3://b/', query }];
    const submit: SnapshotCommand = { type: 'SubmitJobs', jobs };
    const submitted: SnapshotEvent = { type: 'SnapshotJobsSubmitted', data: { snapshotId: 3, instanceId: 7, jobs } };

    it('accepts them once', () => {
      given(snapshot, unplanned).when(submit).happens(submitted);
      given(snapshot, unplanned, submitted).when(submit).isRefused('JOBS_ALREADY_EXIST', { job_count: 1 });
      given(snapshot, unplanned, snapshotFailed).when(submit).isRefused('INVALID_STATE_TRANSITION');
    });

    it('rejects them when they are planned already', () => {
      given(snapshot, snapshotRequested).when(submit).isRefused('JOBS_ALREADY_EXIST', { job_count: 2 });
    });
  });

  describe('that a worker reports as ready', () => {
    const { data } = snapshotReady;
    const ready = (openJobs: number, sizeBytes = 300): SnapshotCommand => ({
      type: 'ReportReady',
      openJobs,
      sizeBytes,
      nodeCounts: { Person: 2 },
      edgeCounts: { KNOWS: 1 },
    });

    it('becomes ready when none of its jobs is open', () => {
      given(snapshot, snapshotRequested).when(ready(0)).happens(snapshotReady);
      given(snapshot, snapshotRequested).when(ready(1)).isRefused('INVALID_STATE_TRANSITION');
      given(snapshot, snapshotRequested, snapshotFailed).when(ready(0)).isRefused('INVALID_STATE_TRANSITION');
    });

    it('keeps its status and stores the values that the worker measured', () => {
      const measured: SnapshotEvent = { type: 'SnapshotMeasured', data: { ...data, sizeBytes: 301 } };
      const already = given(snapshot, snapshotRequested, snapshotReady);
      already.when(ready(0)).changesNothing();
      already.when(ready(0, 301)).happens(measured);
      given(snapshot, snapshotRequested, snapshotReady, measured).when(ready(0, 301)).changesNothing();
    });
  });

  it('keeps the reason and the place of its failure', () => {
    const partial = { failedStep: 'edge KNOWS', nodeCounts: { Person: 2 }, edgeCounts: {} };
    given(snapshot, snapshotRequested)
      .when({ ...fail, ...partial })
      .happens({ ...snapshotFailed, data: { ...snapshotFailed.data, ...partial } });
  });

  it('stays failed', () => {
    const failed = given(snapshot, snapshotRequested, snapshotFailed);
    failed.when(fail).changesNothing();
    failed.when(complete).isRefused('INVALID_STATE_TRANSITION', { current_status: 'failed' });
  });

  it('must exist before it can change', () => {
    given(snapshot).when(complete).isRefused('RESOURCE_NOT_FOUND');
  });

  it('is named after the mapping and its version, cut at 255 characters', () => {
    expect(snapshotName('Friends', 2)).toBe('Snapshot of Friends v2');
    expect([...snapshotName('🦊'.repeat(255), 1)]).toHaveLength(255);
  });
});
