import { isLeft, right } from 'fp-ts/Either';
import { exportJobStream } from '../../domain/export-job';
import { type InstanceStatus, instanceStream } from '../../domain/instance';
import { type Snapshot, type SnapshotCommand, snapshotStream } from '../../domain/snapshot';
import { exportJobs, instances, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

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
): CommandResult<CommandOutcome<Snapshot | null>, 'RESOURCE_NOT_FOUND' | 'RESOURCE_HAS_DEPENDENCIES'> => {
  const stream = snapshotStream(snapshotId);
  const loaded = await loadStream(ports, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  const usedBy = await userOf(ports, loaded.right.state);
  if (isLeft(usedBy)) return usedBy;
  const command = { type: 'DeleteSnapshot', reason, usedBy: usedBy.right } as const;
  return handleCommand(ports, snapshots, stream, command, context);
};

const userOf = async (ports: CommandPorts, snapshot: Snapshot | null): CommandResult<InstanceStatus | null> => {
  if (snapshot === null) return right(null);
  const loaded = await loadStream(ports, instances, instanceStream(snapshot.instanceId));
  if (isLeft(loaded)) return loaded;
  const status = loaded.right.state?.status ?? 'deleted';
  return right(DONE_WITH_SNAPSHOT.has(status) ? null : status);
};

type Report<T extends SnapshotCommand['type']> = Omit<Extract<SnapshotCommand, { readonly type: T }>, 'openJobs'>;

/** Records a worker's report about a snapshot. The snapshot becomes ready only when all its jobs are completed. */
export const reportSnapshot = async (
  ports: CommandPorts,
  snapshotId: number,
  report: Report<'StartExport'> | Report<'ReportReady'> | Report<'FailSnapshot'>,
  context: CommandContext,
): CommandResult<CommandOutcome<Snapshot | null>, 'RESOURCE_NOT_FOUND' | 'INVALID_STATE_TRANSITION'> => {
  const stream = snapshotStream(snapshotId);
  let command: SnapshotCommand;
  if (report.type === 'ReportReady') {
    const openJobs = await countOpenJobs(ports, stream);
    if (isLeft(openJobs)) return openJobs;
    command = { ...report, openJobs: openJobs.right };
  } else command = report;
  return handleCommand(ports, snapshots, stream, command, context);
};

/** Read from the streams of the jobs; completed is final. */
const countOpenJobs = async (ports: CommandPorts, stream: string): CommandResult<number> => {
  const loaded = await loadStream(ports, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  let open = 0;
  for (const { jobId } of loaded.right.state?.jobs ?? []) {
    const job = await loadStream(ports, exportJobs, exportJobStream(jobId));
    if (isLeft(job)) return job;
    if (job.right.state?.status !== 'completed') open += 1;
  }
  return right(open);
};
