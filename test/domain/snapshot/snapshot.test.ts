import { right } from 'fp-ts/Either';
import { decodeEventData } from '../../../domain/kernel/event-catalogue';
import { type InstanceStatus } from '../../../domain/instance';
import { snapshot, type SnapshotCommand, snapshotName, snapshotEvents } from '../../../domain/snapshot';
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
const fail: SnapshotCommand = {
  type: 'FailSnapshot',
  errorCode: 'DATA_LOAD_ERROR',
  errorMessage: 'node Person: no such table',
};
const remove = (usedBy: InstanceStatus | null): SnapshotCommand => ({
  type: 'DeleteSnapshot',
  reason: 'no use',
  usedBy,
});

describe('snapshot', () => {
  it('requested before export times were configured has an hour for each export', () => {
    const { exportMaxSeconds: _unknown, ...data } = snapshotRequested.data;
    const { type } = snapshotRequested;
    expect(decodeEventData(snapshotEvents, { type, schemaVersion: 1, data }, '')).toEqual(right(snapshotRequested));
  });

  it('is requested once', () => {
    given(snapshot).when(request).happens(snapshotRequested);
    given(snapshot, snapshotRequested).when(request).changesNothing();
  });

  it('is creating from the first worker on', () => {
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
  ])('is deleted while %s, unless its instance needs it', (_status, history) => {
    const before = given(snapshot, ...history);
    before.when(remove(null)).happens(snapshotDeleted);
    before.when(remove('starting')).isRefused('RESOURCE_HAS_DEPENDENCIES', {
      snapshot_id: 3,
      instance_id: 7,
      instance_status: 'starting',
    });
  });

  it('is gone once it is deleted', () => {
    const deleted = given(snapshot, snapshotRequested, snapshotReady, snapshotDeleted);
    for (const command of [complete, fail, { type: 'StartExport' } as const, remove(null)]) {
      deleted.when(command).isRefused('RESOURCE_NOT_FOUND');
    }
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
