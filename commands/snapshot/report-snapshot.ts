import { isLeft, right } from 'fp-ts/Either';
import { exportJobStream } from '../../domain/export-job';
import { type Snapshot, type SnapshotCommand, snapshotStream } from '../../domain/snapshot';
import { exportJobs, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, handleCommand, loadStream } from '../kit/handle-command';

type Report<T extends SnapshotCommand['type']> = Omit<Extract<SnapshotCommand, { readonly type: T }>, 'openJobs'>;

/** Records a worker's report about a snapshot. The snapshot becomes ready only when all its jobs are completed. */
export const reportSnapshot = async (
  ports: CommandPorts,
  snapshotId: number,
  report: Report<'StartExport'> | Report<'ReportReady'> | Report<'FailSnapshot'>,
  context: CommandContext,
): CommandResult<Handled<Snapshot | null>, 'RESOURCE_NOT_FOUND' | 'INVALID_STATE_TRANSITION'> => {
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
const countOpenJobs = async ({ store }: CommandPorts, stream: string): CommandResult<number> => {
  const loaded = await loadStream(store, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  let open = 0;
  for (const { jobId } of loaded.right.state?.jobs ?? []) {
    const job = await loadStream(store, exportJobs, exportJobStream(jobId));
    if (isLeft(job)) return job;
    if (job.right.state?.status !== 'completed') open += 1;
  }
  return right(open);
};
