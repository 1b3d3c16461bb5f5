import { type Either, left, right } from 'fp-ts/Either';
import { type Decider, type DecisionContext } from '../kernel/decider';
import { type DomainError, domainError, notFound } from '../kernel/errors';
import { type ExportJobCommand } from './commands';
import { type ExportJobEvent } from './events';
import { evolveExportJob, type ExportJob } from './state';

export const LEASE_MINUTES = 10;
/** Claims a job may have before it fails. */
export const MAX_ATTEMPTS = 3;
/** Seconds between polls, by poll count; the last one repeats. */
const POLL_BACKOFF_SECONDS = [2, 3, 5, 8, 13, 21, 34, 55, 89, 90];

export const exportJobStream = (jobId: number): string => `export_job-${jobId}`;

export const pollDelayMs = (pollCount: number): number =>
  1000 * (POLL_BACKOFF_SECONDS[Math.min(pollCount, POLL_BACKOFF_SECONDS.length - 1)] ?? 90);

type Decision = Either<DomainError, readonly ExportJobEvent[]>;

const NOTHING: Decision = right([]);

export const exportJob: Decider<ExportJobCommand, ExportJobEvent, ExportJob | null, DomainError> = {
  initial: null,
  evolve: evolveExportJob,
  decide: (command, job, context): Decision => {
    if (command.type === 'PlanExportJob') {
      const { type: _type, ...data } = command;
      return job === null ? right([{ type: 'ExportJobPlanned', data }]) : NOTHING;
    }
    if (job === null) return left(notFound('export job', 'with this id'));
    if ('attempt' in command && command.attempt !== undefined && command.attempt !== job.attempt) {
      return left(refused(job, `attempt ${command.attempt} is over; attempt ${job.attempt} holds the job`));
    }
    return decideExisting(command, job, context);
  },
};

const decideExisting = (
  command: Exclude<ExportJobCommand, { type: 'PlanExportJob' }>,
  job: ExportJob,
  { now }: DecisionContext,
): Decision => {
  const { jobId, snapshotId } = job;
  const open = job.status === 'claimed' || job.status === 'submitted';
  switch (command.type) {
    case 'ClaimExportJob': {
      if (job.status !== 'pending') return left(refused(job, `${command.workerId} cannot claim it`));
      const leaseUntil = new Date(now.getTime() + LEASE_MINUTES * 60_000).toISOString();
      const data = { jobId, snapshotId, workerId: command.workerId, attempt: job.attempt + 1, leaseUntil };
      return right([{ type: 'ExportJobClaimed', data }]);
    }
    case 'ReportSubmitted': {
      if (job.status === 'submitted') return NOTHING;
      if (job.status !== 'claimed') return left(refused(job, 'it cannot become submitted'));
      const { queryId, nextUri, pollCount } = command;
      const nextPollAt = command.nextPollAt ?? new Date(now.getTime() + pollDelayMs(pollCount)).toISOString();
      return right([
        { type: 'ExportJobSubmitted', data: { jobId, snapshotId, queryId, nextUri, pollCount, nextPollAt } },
      ]);
    }
    case 'Reschedule': {
      if (job.status !== 'submitted') return left(refused(job, 'only a submitted job can be rescheduled'));
      const nextUri = command.nextUri === undefined ? job.nextUri : command.nextUri;
      const pollCount = command.pollCount ?? job.pollCount;
      return right([
        {
          type: 'ExportJobRescheduled',
          data: { jobId, snapshotId, nextUri, pollCount, nextPollAt: command.nextPollAt },
        },
      ]);
    }
    case 'HoldForPoll': {
      if (job.status !== 'submitted' || Date.parse(job.nextPollAt) > now.getTime()) {
        return left(refused(job, 'its next poll is not due'));
      }
      const { nextUri, pollCount } = job;
      return right([
        { type: 'ExportJobRescheduled', data: { jobId, snapshotId, nextUri, pollCount, nextPollAt: command.until } },
      ]);
    }
    case 'ReportCompleted': {
      if (job.status === 'completed') return NOTHING;
      if (!open) return left(refused(job, 'it cannot become completed'));
      const { rowCount, sizeBytes } = command;
      const completedAt = command.completedAt ?? now.toISOString();
      return right([
        {
          type: 'ExportJobCompleted',
          data: { jobId, snapshotId, rowCount, sizeBytes, attempt: job.attempt, completedAt },
        },
      ]);
    }
    case 'ReportFailed': {
      if (job.status === 'failed') return NOTHING;
      if (!open) return left(refused(job, 'it cannot become failed'));
      return right([failed(job, command.errorCode ?? 'DATA_LOAD_ERROR', command.errorMessage)]);
    }
    case 'ExpireLease':
      return job.status === 'claimed' ? right(lapsed(job, command.reason)) : NOTHING;
    case 'ReleaseExportJob':
      return job.status === 'claimed' || job.status === 'submitted' ? right(lapsed(job, command.reason)) : NOTHING;
    case 'CancelExportJob':
      return open || job.status === 'pending' ? right([failed(job, 'CANCELLED', command.reason)]) : NOTHING;
  }
};

/** The job waits for another worker, unless it has had too many. */
const lapsed = (
  job: Extract<ExportJob, { status: 'claimed' | 'submitted' }>,
  reason: string,
): readonly ExportJobEvent[] => {
  const { jobId, snapshotId, attempt, workerId } = job;
  return [
    { type: 'ExportJobLeaseExpired', data: { jobId, snapshotId, attempt, workerId, reason } },
    ...(attempt >= MAX_ATTEMPTS
      ? [failed(job, 'DATA_LOAD_ERROR', `${attempt} workers gave up; of the last one: ${reason}.`)]
      : []),
  ];
};

const failed = (job: ExportJob, errorCode: string, errorMessage: string): ExportJobEvent => ({
  type: 'ExportJobFailed',
  data: { jobId: job.jobId, snapshotId: job.snapshotId, errorCode, errorMessage },
});

const refused = (job: ExportJob, why: string): DomainError =>
  domainError(
    'INVALID_STATE_TRANSITION',
    `Export job ${job.jobId} is ${job.status}: ${why}. Drop it and claim another.`,
    {
      export_job_id: job.jobId,
      current_status: job.status,
      attempt: job.attempt,
    },
  );
