import { type Either, left } from 'fp-ts/Either';
import { accept, deciderOf, type DecisionContext, existing } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type ExportJobEvent } from './events';
import { evolveExportJob, type ExportJob } from './state';

type Planned = Extract<ExportJobEvent, { type: 'ExportJobPlanned' }>['data'];

/** A query that was submitted by an outside submitter. */
export interface SubmittedQuery {
  readonly queryId: string;
  readonly nextUri: string;
  readonly submittedAt: string;
}

/** The state of polling a query. Absent fields do not change; a poll without a time is due after the usual delay. */
export interface PollState {
  readonly queryId?: string | null | undefined;
  readonly nextUri?: string | null | undefined;
  readonly nextPollAt?: string | undefined;
  readonly pollCount?: number | undefined;
}

/** Commands on an export job. `attempt`, where present, must be the current one. */
export type ExportJobCommand =
  /** `submitted`: the query is already at the query engine, so no worker has to claim the job. */
  | ({ readonly type: 'PlanExportJob'; readonly submitted?: SubmittedQuery } & Planned)
  | { readonly type: 'ClaimExportJob'; readonly workerId: string }
  | ({
      readonly type: 'ReportSubmitted';
      readonly attempt?: number;
      readonly submittedAt?: string;
      readonly ownedByWorker?: boolean;
    } & PollState)
  /** A poll found the query still running; changes nothing. */
  | ({ readonly type: 'ReportPoll'; readonly attempt?: number } & PollState)
  | {
      readonly type: 'ReportCompleted';
      readonly attempt?: number;
      readonly rowCount: number;
      readonly sizeBytes: number;
      readonly completedAt?: string;
    }
  | {
      readonly type: 'ReportFailed';
      readonly attempt?: number;
      readonly errorMessage: string;
      readonly errorCode?: string;
      /** A new attempt can succeed. */
      readonly canRetry?: boolean;
    }
  /** The worker stops and cancels its query; the attempt does not count. */
  | { readonly type: 'ReturnExportJob'; readonly attempt?: number }
  | { readonly type: 'ExpireLease'; readonly attempt: number; readonly reason: string }
  /** The worker has died with its query, so the job restarts even if it was submitted. */
  | { readonly type: 'ReleaseExportJob'; readonly attempt: number; readonly reason: string }
  | { readonly type: 'CancelExportJob'; readonly reason: string };

export const LEASE_MINUTES = 10;
/** Claims a job may have before it fails. */
export const MAX_ATTEMPTS = 3;
/** Seconds between polls, by poll count; the last one repeats. */
const POLL_BACKOFF_SECONDS = [2, 3, 5, 8, 13, 21, 34, 55, 89, 90];

/** Prefix of the lease that a control plane with embedded workers holds while it runs. */
export const EMBEDDED_WORKER_LEASE = 'workers:';

export const exportJobStream = (jobId: number): string => `export_job-${jobId}`;

export const pollDelayMs = (pollCount: number): number =>
  1000 * (POLL_BACKOFF_SECONDS[Math.min(pollCount, POLL_BACKOFF_SECONDS.length - 1)] ?? 90);

/** Rejects a command for an unknown job, or for an attempt that is not the current one. */
const current = <
  C extends { readonly type: string; readonly attempt?: number },
  D extends Either<DomainError, readonly ExportJobEvent[]>,
>(
  decide: (command: C, job: ExportJob, context: DecisionContext) => D,
) =>
  existing<ExportJob>('export job')((command: C, job, context: DecisionContext) => {
    const { attempt = job.attempt } = command;
    return attempt === job.attempt
      ? decide(command, job, context)
      : left(refused(job, `attempt ${attempt} is over; attempt ${job.attempt} holds the job`));
  });

export const exportJob = deciderOf<ExportJobCommand, ExportJobEvent, ExportJob | null>()({
  initial: null,
  evolve: evolveExportJob,

  decide: {
    PlanExportJob: (command, job, { now }) => accept(job === null ? planned(command, now) : []),

    ClaimExportJob: current(({ workerId }, job, { now }) => {
      if (job.status !== 'pending') return left(refused(job, `${workerId} cannot claim it`));
      const { jobId, snapshotId } = job;
      const leaseUntil = new Date(now.getTime() + LEASE_MINUTES * 60_000).toISOString();
      const data = { jobId, snapshotId, workerId, attempt: job.attempt + 1, leaseUntil };
      return accept([{ type: 'ExportJobClaimed', data }]);
    }),

    ReportSubmitted: current((command, job, { now }) => {
      if (job.status === 'submitted') return accept([]);
      if (job.status !== 'claimed') return left(refused(job, 'it cannot become submitted'));
      const { jobId, snapshotId } = job;
      const { queryId = null, nextUri = null, pollCount = 0, submittedAt = now.toISOString() } = command;
      const { ownedByWorker = false } = command;
      const nextPollAt = command.nextPollAt ?? nextPoll(pollCount, now);
      const data = { jobId, snapshotId, queryId, nextUri, pollCount, nextPollAt, submittedAt, ownedByWorker };
      return accept([{ type: 'ExportJobSubmitted', data }]);
    }),

    ReportPoll: current((command, job) =>
      job.status === 'submitted' || POLL_STATE.every((field) => command[field] === undefined)
        ? accept([])
        : left(refused(job, 'only a submitted job is polled')),
    ),

    ReportCompleted: current(({ rowCount, sizeBytes, completedAt }, job, { now }) => {
      const { jobId, snapshotId, status, attempt } = job;
      if (status === 'completed') return accept([]);
      if (!isOpen(job)) return left(refused(job, 'it cannot become completed'));
      const data = { jobId, snapshotId, rowCount, sizeBytes, attempt };
      return accept([{ type: 'ExportJobCompleted', data: { ...data, completedAt: completedAt ?? now.toISOString() } }]);
    }),

    ReportFailed: current(({ errorCode = 'DATA_LOAD_ERROR', errorMessage, canRetry = false }, job) => {
      if (job.status === 'failed') return accept([]);
      if (canRetry && isOpen(job) && attemptsOf(job) < MAX_ATTEMPTS) return accept(expireLease(job, errorMessage));
      return isOpen(job)
        ? accept([failed(job, errorCode, errorMessage)])
        : left(refused(job, 'it cannot become failed'));
    }),

    ReturnExportJob: current((_, job) => {
      if (!isOpen(job)) return left(refused(job, 'it cannot be given back'));
      const { jobId, snapshotId, attempt, workerId } = job;
      const data = { jobId, snapshotId, attempt, workerId, returned: job.returned + 1 };
      return accept([{ type: 'ExportJobReturned', data }]);
    }),

    ExpireLease: current(({ reason }, job) => accept(job.status === 'claimed' ? expireLease(job, reason) : [])),

    ReleaseExportJob: current(({ reason }, job) => accept(isOpen(job) ? expireLease(job, reason) : [])),

    CancelExportJob: current(({ reason }, job) =>
      accept(isOpen(job) || job.status === 'pending' ? [failed(job, 'CANCELLED', reason)] : []),
    ),
  },
});

type OpenJob = Extract<ExportJob, { status: 'claimed' | 'submitted' }>;

const isOpen = (job: ExportJob): job is OpenJob => job.status === 'claimed' || job.status === 'submitted';

const attemptsOf = ({ attempt, returned }: ExportJob): number => attempt - returned;

const POLL_STATE = ['queryId', 'nextUri', 'nextPollAt', 'pollCount'] as const satisfies readonly (keyof PollState)[];

/** The time of the poll after this number of polls. */
export const nextPoll = (pollCount: number, now: Date): string =>
  new Date(now.getTime() + pollDelayMs(pollCount)).toISOString();

const planned = (
  { type: _type, submitted, ...data }: Extract<ExportJobCommand, { type: 'PlanExportJob' }>,
  now: Date,
): readonly ExportJobEvent[] => {
  const { jobId, snapshotId } = data;
  const plan: ExportJobEvent = { type: 'ExportJobPlanned', data };
  if (submitted === undefined) return [plan];
  const polling = { pollCount: 0, nextPollAt: nextPoll(0, now), ownedByWorker: false };
  return [plan, { type: 'ExportJobSubmitted', data: { jobId, snapshotId, ...submitted, ...polling } }];
};

/** The last attempt had a worker of its own, so the export itself is the likely reason. */
const LESS_AT_ONCE =
  'Its query, or a file that it reads, may need too much memory: select fewer rows or columns, or divide the file, and create the instance again. The log of the service says how the workers ended.';

/** The job becomes pending again, or fails after too many attempts. */
const expireLease = (job: OpenJob, reason: string): readonly ExportJobEvent[] => {
  const { jobId, snapshotId, attempt, workerId } = job;
  return [
    { type: 'ExportJobLeaseExpired', data: { jobId, snapshotId, attempt, workerId, reason } },
    ...(attemptsOf(job) >= MAX_ATTEMPTS
      ? [
          failed(
            job,
            'DATA_LOAD_ERROR',
            `${attemptsOf(job)} attempts failed, of the last one ${reason}. ${LESS_AT_ONCE}`,
          ),
        ]
      : []),
  ];
};

const failed = (job: ExportJob, errorCode: string, errorMessage: string): ExportJobEvent => ({
  type: 'ExportJobFailed',
  data: { jobId: job.jobId, snapshotId: job.snapshotId, errorCode, errorMessage },
});

const refused = (job: ExportJob, why: string) =>
  domainError(
    'INVALID_STATE_TRANSITION',
    `Export job ${job.jobId} is ${job.status}: ${why}. Drop it and claim another.`,
    {
      export_job_id: job.jobId,
      current_status: job.status,
      attempt: job.attempt,
    },
  );
