import { isLeft, right } from 'fp-ts/Either';
import { type InstanceStatus, instanceStream } from '../../domain/instance';
import { type Snapshot, snapshotStream } from '../../domain/snapshot';
import { instances, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, handleCommand, loadStream } from '../kit/handle-command';

/** Final statuses of an instance, in which it no longer needs its snapshot. */
const DONE_WITH_SNAPSHOT: ReadonlySet<InstanceStatus> = new Set<InstanceStatus>(['failed', 'deleted']);

/**
 * Deletes a snapshot that no instance uses; its process removes the files. The status of its instance is read from the
 * instance's own stream; failed and deleted are final, so the result stays valid.
 */
export const deleteSnapshot = async (
  ports: CommandPorts,
  snapshotId: number,
  reason: string,
  context: CommandContext,
): CommandResult<Handled<Snapshot | null>, 'RESOURCE_NOT_FOUND' | 'RESOURCE_HAS_DEPENDENCIES'> => {
  const stream = snapshotStream(snapshotId);
  const loaded = await loadStream(ports.store, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  const usedBy = await userOf(ports, loaded.right.state);
  if (isLeft(usedBy)) return usedBy;
  const command = { type: 'DeleteSnapshot', reason, usedBy: usedBy.right } as const;
  return handleCommand(ports, snapshots, stream, command, context);
};

const userOf = async ({ store }: CommandPorts, snapshot: Snapshot | null): CommandResult<InstanceStatus | null> => {
  if (snapshot === null) return right(null);
  const loaded = await loadStream(store, instances, instanceStream(snapshot.instanceId));
  if (isLeft(loaded)) return loaded;
  const status = loaded.right.state?.status ?? 'deleted';
  return right(DONE_WITH_SNAPSHOT.has(status) ? null : status);
};
