import { isLeft, right } from 'fp-ts/Either';
import { instanceStream } from '../../domain/instance';
import { type DomainError } from '../../domain/kernel/errors';
import { type Mapping, mappingStream, type PlannedSnapshot } from '../../domain/mapping';
import { snapshotStream } from '../../domain/snapshot';
import { instances, mappings, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, type Precondition } from '../kit/handle-command';
import { loadHistory, loadStream } from '../kit/load-stream';
import { changeMapping } from './change-mapping';

/**
 * A planned instance that was not requested within this time can no longer be requested: its slot expires after 60
 * seconds.
 */
const ABANDONED_MS = 120_000;

/**
 * Deletes a mapping without snapshots. Its stream lists every planned snapshot; the state of each is read from the
 * snapshot's own stream, because read models may lag.
 */
export const deleteMapping = async (
  ports: CommandPorts,
  mappingId: number,
  reason: string,
  context: CommandContext,
  precondition?: Precondition<Mapping | null, DomainError<'CONFLICT'>>,
): CommandResult<
  CommandOutcome<Mapping | null>,
  'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED' | 'RESOURCE_HAS_DEPENDENCIES'
> => {
  const loaded = await loadHistory(ports.store, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const abandonedBefore = new Date(ports.clock.now().getTime() - ABANDONED_MS).toISOString();
  const goneSnapshotIds: number[] = [];
  for (const { type, data, metadata } of loaded.right.events) {
    if (type !== 'MappingSnapshotPlanned') continue;
    const isDeleted = await isSnapshotDeleted(ports, data, metadata.occurredAt < abandonedBefore);
    if (isLeft(isDeleted)) return isDeleted;
    if (isDeleted.right) goneSnapshotIds.push(data.snapshotId);
  }
  return changeMapping(ports, mappingId, { type: 'DeleteMapping', reason, goneSnapshotIds }, context, precondition);
};

/**
 * Whether a planned snapshot is deleted, is about to be (it was not ready when its instance was deleted), or will never
 * be requested.
 */
const isSnapshotDeleted = async (
  ports: CommandPorts,
  { snapshotId, instanceId }: PlannedSnapshot,
  isOld: boolean,
): CommandResult<boolean> => {
  const snapshot = await loadStream(ports, snapshots, snapshotStream(snapshotId));
  if (isLeft(snapshot)) return snapshot;
  const { revision, state: exported } = snapshot.right;
  if (revision >= 0 && (exported === null || exported.status === 'ready')) return right(exported === null);
  const instance = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(instance)) return instance;
  const { state } = instance.right;
  if (exported !== null) return right(state?.status === 'deleted');
  return right(state === null ? isOld : state.status !== 'waiting_for_snapshot');
};
