import { type Either, left, right } from 'fp-ts/Either';
import { type Decider, type DecisionContext } from '../kernel/decider';
import { type DomainError, domainError, notFound } from '../kernel/errors';
import { type ExportJobCommand, type PollState } from './commands';
import { type ExportJobEvent } from './events';
import { evolveExportJob, type ExportJob } from './state';

export const LEASE_MINUTES = 10;
/** Claims a job may have before it fails. */
export const MAX_ATTEMPTS = 3;
/** Seconds between polls, by poll count; the last one repeats. */
const POLL_BACKOFF_SECONDS = [2, 3, 5, 8, 13, 21, 34, 55, 89, 90];

/** A control plane holds the lease of this name and its workers' prefix while it, and with it they, live. */
export const EMBEDDED_WORKER_LEASE = 'workers:';

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
      return job === null ? right(planned(command, context.now)) : NOTHING;
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
      if (job.status === 'submitted') return reschedule(job, command, now);
      if (job.status !== 'claimed') return left(refused(job, 'it cannot become submitted'));
      const { queryId = null, nextUri = null, pollCount = 0, submittedAt = now.toISOString() } = command;
      const nextPollAt = command.nextPollAt ?? nextPoll(pollCount, now);
      return right([
        {
          type: 'ExportJobSubmitted',
          data: { jobId, snapshotId, queryId, nextUri, pollCount, nextPollAt, submittedAt },
        },
      ]);
    }
    case 'Reschedule':
      if (Object.keys(POLL_STATE).every((field) => command[field as keyof PollState] === undefined)) return NOTHING;
      return job.status === 'submitted'
        ? reschedule(job, command, now)
        : left(refused(job, 'only a submitted job can be rescheduled'));
    case 'HoldForPoll':
      return job.status === 'submitted' && Date.parse(job.nextPollAt) <= now.getTime()
        ? reschedule(job, { nextPollAt: command.until }, now)
        : left(refused(job, 'its next poll is not due'));
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

const POLL_STATE: Readonly<Record<keyof PollState, null>> = {
  queryId: null,
  nextUri: null,
  nextPollAt: null,
  pollCount: null,
};

const nextPoll = (pollCount: number, now: Date): string =>
  new Date(now.getTime() + pollDelayMs(pollCount)).toISOString();

const planned = (
  { type: _type, submitted, ...data }: Extract<ExportJobCommand, { type: 'PlanExportJob' }>,
  now: Date,
): readonly ExportJobEvent[] => {
  const { jobId, snapshotId } = data;
  const plan: ExportJobEvent = { type: 'ExportJobPlanned', data };
  if (submitted === undefined) return [plan];
  const polling = { pollCount: 0, nextPollAt: nextPoll(0, now) };
  return [plan, { type: 'ExportJobSubmitted', data: { jobId, snapshotId, ...submitted, ...polling } }];
};

const reschedule = (job: Extract<ExportJob, { status: 'submitted' }>, asked: PollState, now: Date): Decision => {
  const { jobId, snapshotId } = job;
  const queryId = asked.queryId ?? job.queryId;
  const nextUri = asked.nextUri === undefined ? job.nextUri : asked.nextUri;
  const pollCount = asked.pollCount ?? job.pollCount;
  const nextPollAt = asked.nextPollAt ?? (pollCount === job.pollCount ? job.nextPollAt : nextPoll(pollCount, now));
  const isSame =
    queryId === job.queryId && nextUri === job.nextUri && pollCount === job.pollCount && nextPollAt === job.nextPollAt;
  const data = { jobId, snapshotId, queryId, nextUri, pollCount, nextPollAt };
  return isSame ? NOTHING : right([{ type: 'ExportJobRescheduled', data }]);
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
