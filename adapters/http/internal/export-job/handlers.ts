import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  claimExportJobs,
  holdPolledJobs,
  lostClaims,
  reportOnExportJob,
} from '../../../../commands/export-job/change-export-job';
import { requestContext } from '../../../../commands/kit/command-context';
import { type CommandOutcome } from '../../../../commands/kit/handle-command';
import { type ExportJob, type ExportJobCommand, type PollState } from '../../../../domain/export-job';
import { type DomainError, invalidField } from '../../../../domain/kernel/errors';
import { laterPosition, type Position, START } from '../../../../domain/kernel/event';
import { type ExportJobQueue } from '../../../../domain/ports/directories';
import {
  exportJobQueue,
  findExportJobs,
  findExportJobStatuses,
  listPollableJobs,
} from '../../../../queries/export-jobs';
import { type WorkerJob } from '../../../../queries/views/export-job';
import { type JobUpdate } from '../../../contracts/export-worker/job-update';
import { type Handlers } from '../../kit';
import { CATCH_UP_MS } from '../../kit/consistency';
import { type InternalDependencies } from '../internal-dependencies';
import { type Component } from '../service-token';
import { type exportJobEndpoints } from './endpoints';

const DEFAULT_LIMIT = 10;
const WORKER = { username: 'system:worker', role: 'system' } as const;

export const exportJobHandlers = (deps: InternalDependencies): Handlers<typeof exportJobEndpoints, Component> => {
  const beginClaim = claimsUnderWay();
  return {
    claimExportJobs: async ({ body, requestId }) => {
      const context = requestContext(deps.ports.ids, WORKER, requestId);
      const { queue, settle } = beginClaim(exportJobQueue(deps.db));
      let position: Position | undefined;
      try {
        const ports = { ...deps.ports, queue };
        const { worker_id: workerId, limit = DEFAULT_LIMIT, working_on: workingOn } = body;
        const lost = workingOn === undefined ? [] : await lostClaims(ports, workerId, workingOn);
        const fresh = await claimExportJobs(ports, workerId, Math.max(0, limit - lost.length), context);
        const claimed = [...lost, ...fresh];
        const ids = claimed.flatMap(({ state }) => (state === null ? [] : [state.jobId]));
        position = lastPosition(claimed);
        const shown = await findExportJobs(deps.db, ids);
        const claimOf = (id: number) => recordedClaim(claimed.find(({ state }) => state?.jobId === id));
        const jobs = shown.map((job) => ({ ...job, ...claimOf(job.id) }));
        return right({ position, body: { claimed: jobs.length, jobs } });
      } finally {
        void deps.catchUp.waitFor(position ?? START, CATCH_UP_MS).then(settle);
      }
    },

    listPollableExportJobs: async ({ query }) => {
      const due = await listPollableJobs(deps.db, deps.ports.clock.now(), query.limit ?? DEFAULT_LIMIT);
      const ports = { ...deps.ports, polls: deps.polls };
      const held = await holdPolledJobs(
        ports,
        due.map(({ id, attempt }) => ({ jobId: id, attempt })),
      );
      if (isLeft(held)) return held;
      return right({ body: { jobs: due.filter(({ id }) => held.right.some(({ jobId }) => jobId === id)) } });
    },

    listExportJobStatuses: async ({ query }) =>
      right({ body: { jobs: await findExportJobStatuses(deps.db, query.ids) } }),

    updateExportJob: async ({ params, body, requestId }) => {
      const command = commandOf(body);
      if (isLeft(command)) return command;
      const context = requestContext(deps.ports.ids, WORKER, requestId);
      const ports = { ...deps.ports, polls: deps.polls };
      const handled = await reportOnExportJob(ports, params.id, command.right, context);
      if (isLeft(handled)) return handled;
      const { state, position } = handled.right;
      return state === null
        ? left(invalidField('id', `names no export job: ${params.id}`))
        : right({ body: toView(state), position });
    },
  };
};

/** The position of the last of these changes; undefined without changes. */
const lastPosition = (changes: readonly CommandOutcome<unknown>[]): Position | undefined =>
  changes
    .map(({ position }) => position)
    .reduce<Position | undefined>((last, one) => laterPosition(last ?? one, one), undefined);

/**
 * The read model may not show the claim yet, and the work of a worker with another attempt number would be rejected.
 */
const recordedClaim = (claimed: CommandOutcome<ExportJob | null> | undefined): Partial<WorkerJob> =>
  claimed?.state?.status === 'claimed'
    ? {
        status: claimed.state.status,
        attempt: claimed.state.attempt,
        claimed_by: claimed.state.workerId,
        claimed_at: claimed.occurredAt,
      }
    : {};

/**
 * The command of a worker's update: `running` is a synonym of submitted, `pending` releases the job, no status means a
 * later poll.
 */
const commandOf = (body: JobUpdate): Either<DomainError<'VALIDATION_FAILED'>, ExportJobCommand> => {
  const { attempt } = body;
  switch (body.status) {
    case 'submitted':
    case 'running':
      return right({
        ...{ type: 'ReportSubmitted', attempt, submittedAt: body.submitted_at, ownedByWorker: body.owned_by_worker },
        ...pollState(body),
      });
    case 'completed':
      if (body.row_count == null) return left(invalidField('row_count', 'is required for a completed job'));
      return right({
        type: 'ReportCompleted',
        attempt,
        rowCount: body.row_count,
        sizeBytes: body.size_bytes ?? 0,
        completedAt: body.completed_at,
      });
    case 'failed':
      return right({
        ...{ type: 'ReportFailed', attempt, canRetry: body.can_retry },
        errorCode: body.error_code,
        errorMessage: body.error_message ?? 'the worker gave no reason',
      });
    case 'pending':
      return right({ type: 'ReturnExportJob', attempt });
    case undefined:
      for (const field of RESULT_FIELDS) {
        if (body[field] != null) return left(invalidField(field, 'belongs to a result; send status with it'));
      }
      return right({ type: 'ReportPoll', attempt, ...pollState(body) });
  }
};

const RESULT_FIELDS = ['row_count', 'size_bytes', 'completed_at', 'error_code', 'error_message'] as const;

const pollState = (body: JobUpdate): PollState => ({
  queryId: body.queryengine_query_id,
  nextUri: body.next_uri,
  nextPollAt: body.next_poll_at,
  pollCount: body.poll_count,
});

const toView = (job: ExportJob) => ({
  id: job.jobId,
  snapshot_id: job.snapshotId,
  status: job.status,
  row_count: job.status === 'completed' ? job.rowCount : null,
  size_bytes: job.status === 'completed' ? job.sizeBytes : null,
  completed_at: job.status === 'completed' ? job.completedAt : null,
});

/**
 * Keeps concurrent claims in this process from competing for the same jobs: the queue does not propose a job that it
 * proposed to another claim. Call `settle` when the claim shows in the read model. This is an optimization: that each
 * job is assigned to one worker only does not depend on it.
 */
const claimsUnderWay = () => {
  const proposed = new Set<number>();
  return (queue: ExportJobQueue): { readonly queue: ExportJobQueue; readonly settle: () => void } => {
    const own: number[] = [];
    const claimable: ExportJobQueue['claimable'] = async (limit, except) => {
      for (;;) {
        const found = await queue.claimable(limit, [...except, ...proposed]);
        const free = found.filter(({ jobId }) => !proposed.has(jobId));
        free.forEach(({ jobId }) => proposed.add(jobId));
        own.push(...free.map(({ jobId }) => jobId));
        // All found jobs were proposed to other claims during the query.
        if (free.length > 0 || found.length === 0) return free;
      }
    };
    return { queue: { ...queue, claimable }, settle: () => own.forEach((jobId) => proposed.delete(jobId)) };
  };
};
