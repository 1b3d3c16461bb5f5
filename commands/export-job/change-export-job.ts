import { isLeft, left, right } from 'fp-ts/Either';
import {
  type ExportJob,
  type ExportJobCommand,
  exportJobStream,
  MAX_ATTEMPTS,
  nextPoll,
} from '../../domain/export-job';
import { type ExportJobQueue } from '../../domain/ports/directories';
import { type ClaimedJob, type ExportPolls } from '../../domain/ports/export-polls';
import { exportJobs } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

/** Any command on one export job: a worker's report, the end of a lease. */
export const changeExportJob = (
  ports: CommandPorts,
  jobId: number,
  command: ExportJobCommand,
  context: CommandContext,
): CommandResult<CommandOutcome<ExportJob | null>, 'RESOURCE_NOT_FOUND' | 'INVALID_STATE_TRANSITION'> =>
  handleCommand(ports, exportJobs, exportJobStream(jobId), command, context);

/** The claim after this many is the last one of a job; claims that were returned count as well. */
const isLast = (attempt: number): boolean => attempt >= MAX_ATTEMPTS;

/**
 * Claims up to `limit` pending jobs for a worker. The queue only lists candidates; each claim is decided on the job's
 * own stream, so two workers never get the same job. The last attempt of a job gets a worker of its own: a job that ends
 * its workers would otherwise fail those beside it, which lose an attempt with each worker.
 */
export const claimExportJobs = async (
  ports: CommandPorts & { readonly queue: ExportJobQueue },
  workerId: string,
  limit: number,
  context: CommandContext,
): Promise<readonly CommandOutcome<ExportJob | null>[]> => {
  const claimed: CommandOutcome<ExportJob | null>[] = [];
  const proposed = new Set<number>();
  const held = await ports.queue.heldBy(workerId);
  let isAlone = held.some(({ attempt }) => isLast(attempt));
  while (claimed.length < limit && !isAlone) {
    const found = await ports.queue.claimable(limit - claimed.length, [...proposed]);
    const others = found.filter(({ jobId }) => !proposed.has(jobId));
    const last = others.find(({ attempt }) => isLast(attempt + 1));
    isAlone = last !== undefined;
    // The worker ends what it has first.
    if (others.length === 0 || (isAlone && held.length + claimed.length > 0)) break;
    const results = await Promise.all(
      (last === undefined ? others : [last]).map(({ jobId }) => {
        proposed.add(jobId);
        const claim = contextOfPart(ports.ids, context, `claim:${jobId}`);
        return changeExportJob(ports, jobId, { type: 'ClaimExportJob', workerId }, claim);
      }),
    );
    for (const result of results) if (!isLeft(result)) claimed.push(result.right);
  }
  return claimed;
};

/**
 * Jobs that a worker has claimed without receiving the response. Without this they would stay claimed until their lease
 * expires.
 */
export const lostClaims = async (
  ports: CommandPorts & { readonly queue: ExportJobQueue },
  workerId: string,
  workingOn: readonly number[],
): Promise<readonly CommandOutcome<ExportJob | null>[]> => {
  const lost: CommandOutcome<ExportJob | null>[] = [];
  for (const { jobId } of await ports.queue.heldBy(workerId)) {
    if (workingOn.includes(jobId)) continue;
    const loaded = await loadStream(ports, exportJobs, exportJobStream(jobId));
    if (isLeft(loaded)) continue;
    const { state, position, occurredAt } = loaded.right;
    if (state?.status !== 'claimed' || state.workerId !== workerId || occurredAt === null) continue;
    lost.push({ state, position, occurredAt });
  }
  return lost;
};

/** Seconds that a poll reservation lasts, unless the worker reports before. */
const POLL_SECONDS = 30;

/** Reserves jobs that are due for a poll; returns those that no other worker has reserved and that still run. */
export const holdPolledJobs = async (
  ports: CommandPorts & { readonly polls: ExportPolls },
  due: readonly ClaimedJob[],
): CommandResult<readonly ClaimedJob[]> => {
  const running: ClaimedJob[] = [];
  for (const job of due) {
    const loaded = await loadStream(ports, exportJobs, exportJobStream(job.jobId));
    if (isLeft(loaded)) return loaded;
    const { state } = loaded.right;
    if (state?.status === 'submitted' && state.attempt === job.attempt) running.push(job);
  }
  const now = ports.clock.now();
  return right(await ports.polls.hold(running, now, new Date(now.getTime() + POLL_SECONDS * 1000)));
};

/** A worker's report on a job; what it says about the polls of the query is not an event. */
export const reportOnExportJob = async (
  ports: CommandPorts & { readonly polls: ExportPolls },
  jobId: number,
  command: ExportJobCommand,
  context: CommandContext,
): ReturnType<typeof changeExportJob> => {
  const reported = await changeExportJob(ports, jobId, command, context);
  if (isLeft(reported) || reported.right.state?.status !== 'submitted') return reported;
  if (command.type === 'ReportSubmitted' || command.type === 'ReportPoll') {
    const { queryId, nextUri, pollCount } = command;
    const defaultPoll = pollCount === undefined ? undefined : nextPoll(pollCount, ports.clock.now());
    const nextPollAt = command.nextPollAt ?? defaultPoll;
    await ports.polls.save(reported.right.state, { queryId, nextUri, pollCount, nextPollAt });
  }
  return reported;
};

/** Restarts the jobs that dead workers held, without waiting for their leases to expire. */
export const releaseExportJobs = async (
  ports: CommandPorts,
  held: readonly ClaimedJob[],
  context: CommandContext,
): CommandResult<null, 'RESOURCE_NOT_FOUND'> => {
  for (const { jobId, attempt } of held) {
    const release = { type: 'ReleaseExportJob', attempt, reason: 'its worker ended' } as const;
    const part = contextOfPart(ports.ids, context, `release:${jobId}`);
    const released = await changeExportJob(ports, jobId, release, part);
    // A rejected job has ended or was claimed by another worker meanwhile.
    if (isLeft(released) && released.left.code !== 'INVALID_STATE_TRANSITION') return left(released.left);
  }
  return right(null);
};
