import { type Either, left, right } from 'fp-ts/Either';
import { type InstanceStatus } from '../instance';
import { type Decider } from '../kernel/decider';
import { type DomainError, domainError, notFound } from '../kernel/errors';
import { type SnapshotEvent } from './events';

type Data<T extends SnapshotEvent['type']> = Extract<SnapshotEvent, { type: T }>['data'];

export type SnapshotCommand =
  | ({ readonly type: 'RequestSnapshot' } & Data<'SnapshotRequested'>)
  | { readonly type: 'StartExport' }
  | ({ readonly type: 'CompleteSnapshot' } & Pick<Data<'SnapshotReady'>, 'sizeBytes' | 'nodeCounts' | 'edgeCounts'>)
  | { readonly type: 'FailSnapshot'; readonly errorCode: string; readonly errorMessage: string }
  /** `usedBy`: what the snapshot's instance is at the moment, null when it needs the snapshot no more. */
  | { readonly type: 'DeleteSnapshot'; readonly reason: string; readonly usedBy: InstanceStatus | null };

export interface Snapshot extends Data<'SnapshotRequested'> {
  readonly status: 'pending' | 'creating' | 'ready' | 'failed';
}

export const snapshotStream = (snapshotId: number): string => `snapshot-${snapshotId}`;

export const snapshot: Decider<SnapshotCommand, SnapshotEvent, Snapshot | null, DomainError> = {
  initial: null,

  decide: (command, state): Either<DomainError, readonly SnapshotEvent[]> => {
    if (command.type === 'RequestSnapshot') {
      const { type: _type, ...data } = command;
      return right(state === null ? [{ type: 'SnapshotRequested', data }] : []);
    }
    if (state === null) return left(notFound('snapshot', 'with this id'));
    const { snapshotId, instanceId, status } = state;
    const open = status === 'pending' || status === 'creating';
    switch (command.type) {
      case 'StartExport':
        if (status === 'creating') return right([]);
        return status === 'pending'
          ? right([{ type: 'SnapshotExportStarted', data: { snapshotId, instanceId } }])
          : left(refused(state, 'creating'));
      case 'CompleteSnapshot': {
        if (status === 'ready') return right([]);
        const { sizeBytes, nodeCounts, edgeCounts } = command;
        return open
          ? right([{ type: 'SnapshotReady', data: { snapshotId, instanceId, sizeBytes, nodeCounts, edgeCounts } }])
          : left(refused(state, 'ready'));
      }
      case 'FailSnapshot': {
        if (status === 'failed') return right([]);
        const { errorCode, errorMessage } = command;
        return open
          ? right([{ type: 'SnapshotFailed', data: { snapshotId, instanceId, errorCode, errorMessage } }])
          : left(refused(state, 'failed'));
      }
      case 'DeleteSnapshot': {
        if (command.usedBy !== null) return left(inUse(state, command.usedBy));
        const { mappingId, storagePath } = state;
        const { reason } = command;
        return right([{ type: 'SnapshotDeleted', data: { snapshotId, instanceId, mappingId, storagePath, reason } }]);
      }
    }
  },

  evolve: (state, event) => {
    if (event.type === 'SnapshotRequested') return { ...event.data, status: 'pending' };
    if (state === null || event.type === 'SnapshotDeleted') return null;
    const next = { SnapshotExportStarted: 'creating', SnapshotReady: 'ready', SnapshotFailed: 'failed' } as const;
    return { ...state, status: next[event.type] };
  },
};

const refused = ({ snapshotId, status }: Snapshot, wanted: string): DomainError =>
  domainError('INVALID_STATE_TRANSITION', `Snapshot ${snapshotId} is ${status} and cannot become ${wanted}.`, {
    snapshot_id: snapshotId,
    current_status: status,
  });

const inUse = ({ snapshotId, instanceId }: Snapshot, status: InstanceStatus): DomainError =>
  domainError(
    'RESOURCE_HAS_DEPENDENCIES',
    `Snapshot ${snapshotId} is used by instance ${instanceId}, which is ${status}. Delete the instance first.`,
    { snapshot_id: snapshotId, instance_id: instanceId, instance_status: status },
  );

/** What the snapshot of a mapping version is called, at most 255 characters. */
export const snapshotName = (mappingName: string, version: number): string =>
  [...`Snapshot of ${mappingName} v${version}`].slice(0, 255).join('');
