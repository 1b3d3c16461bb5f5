import { DEFAULT_EXPORT_MAX_SECONDS } from '../config';
import { type ExportJobEvent, type JobType, LEASE_MINUTES } from '../export-job';
import { cancelTimer, queueCommand, type Process, type ProcessOutput, setTimer } from '../kernel/process';
import { type SnapshotEvent, type SubmittedJob } from '../snapshot';
import { type ProcessCommand } from './commands';

type Input = SnapshotEvent | ExportJobEvent;

interface JobProgress {
  readonly jobType: JobType;
  readonly entityName: string;
  readonly attempt: number;
  readonly result:
    | null
    | { readonly ok: true; readonly rowCount: number; readonly sizeBytes: number }
    | { readonly ok: false; readonly errorCode: string; readonly errorMessage: string };
}

interface State {
  readonly jobs: ReadonlyMap<number, JobProgress>;
  readonly exportMaxSeconds: number;
  /** A submitter outside gives the snapshot its jobs. */
  readonly isPlannedOutside: boolean;
  readonly started: boolean;
  readonly ended: boolean;
  /** Folder of the files of a deleted snapshot, null while it exists. */
  readonly deletedPath: string | null;
}

export const LEASE_LAPSED = 'the worker did not report within its lease';
const PLANNED_TOO_LATE = 'its snapshot ended before it was planned';
/** Seconds a job may wait for a first worker. */
const UNCLAIMED_SECONDS = 3600;
/** After a deletion a worker may still write until its lease ends; then the files are removed once more. */
const SWEEP_SECONDS = (LEASE_MINUTES + 5) * 60;

/**
 * Leads one snapshot from its request to `ready` or `failed`: plans a job per definition, watches leases and the
 * longest duration, and draws the result once every job has ended.
 */
export const snapshotExport: Process<Input, State, ProcessCommand> = {
  name: 'snapshot_export',
  listensTo: [
    'SnapshotRequested',
    'SnapshotJobsSubmitted',
    'SnapshotReady',
    'SnapshotFailed',
    'SnapshotDeleted',
    'ExportJobClaimed',
    'ExportJobSubmitted',
    'ExportJobLeaseExpired',
    'ExportJobCompleted',
    'ExportJobFailed',
  ],
  processIdOf: (event) => String(event.data.snapshotId),
  initial: {
    jobs: new Map(),
    exportMaxSeconds: DEFAULT_EXPORT_MAX_SECONDS,
    isPlannedOutside: false,
    started: false,
    ended: false,
    deletedPath: null,
  },

  evolve: (state, input) => {
    switch (input.type) {
      case 'SnapshotRequested':
        return {
          ...state,
          exportMaxSeconds: input.data.exportMaxSeconds,
          isPlannedOutside: input.data.jobs.length === 0,
          jobs: jobsOf(input.data.jobs),
        };
      case 'SnapshotJobsSubmitted':
        return { ...state, started: isUnderWay(input.data.jobs), jobs: jobsOf(input.data.jobs) };
      case 'ExportJobClaimed':
        return {
          ...state,
          started: true,
          jobs: withProgress(state.jobs, input.data.jobId, { attempt: input.data.attempt }),
        };
      case 'ExportJobCompleted':
      case 'ExportJobFailed':
        return { ...state, jobs: withResult(state.jobs, input) };
      case 'SnapshotReady':
      case 'SnapshotFailed':
        return { ...state, ended: true };
      case 'SnapshotDeleted':
        return { ...state, ended: true, deletedPath: input.data.storagePath };
      default:
        return state;
    }
  },

  decide: (state, input, { id, now }) => {
    const snapshotId = Number(id);
    switch (input.type) {
      case 'SnapshotRequested':
        return [
          ...(input.data.jobs.length === 0 ? [] : [queueCommand({ type: 'PlanExportJobs' as const, snapshotId })]),
          setTimer('unclaimed', now, UNCLAIMED_SECONDS),
        ];
      case 'SnapshotJobsSubmitted': {
        const plan = queueCommand({ type: 'PlanExportJobs' as const, snapshotId });
        if (!isUnderWay(input.data.jobs)) return [plan, setTimer('unclaimed', now, UNCLAIMED_SECONDS)];
        const running = input.data.jobs.filter(({ query }) => query !== null);
        return [
          plan,
          cancelTimer('unclaimed'),
          queueCommand({ type: 'StartExport' as const, snapshotId }),
          ...running.map(({ jobId }) => setTimer(`duration:${jobId}`, now, state.exportMaxSeconds)),
        ];
      }
      case 'ExportJobClaimed': {
        const { jobId, leaseUntil } = input.data;
        return [
          ...(state.started
            ? []
            : [cancelTimer('unclaimed'), queueCommand({ type: 'StartExport' as const, snapshotId })]),
          { kind: 'set_timer', timerId: `lease:${jobId}`, dueAt: leaseUntil },
          setTimer(`duration:${jobId}`, claimedAt(leaseUntil), state.exportMaxSeconds),
        ];
      }
      case 'ExportJobSubmitted':
        return [cancelLease(input.data.jobId)];
      case 'ExportJobLeaseExpired':
        return [cancelLease(input.data.jobId), cancelTimer(`duration:${input.data.jobId}`)];
      case 'ExportJobCompleted':
      case 'ExportJobFailed':
        return [
          cancelLease(input.data.jobId),
          cancelTimer(`duration:${input.data.jobId}`),
          ...(state.ended ? [] : conclude(snapshotId, withResult(state.jobs, input))),
        ];
      case 'SnapshotFailed':
        return [cancelTimer('unclaimed'), ...cancelOpenJobs(state.jobs, input.data.errorMessage)];
      case 'SnapshotReady':
        return [cancelTimer('unclaimed')];
      case 'SnapshotDeleted': {
        const { storagePath, reason } = input.data;
        return [
          cancelTimer('unclaimed'),
          ...cancelOpenJobs(state.jobs, reason),
          queueCommand({ type: 'DeleteSnapshotFiles', snapshotId, storagePath }),
          setTimer('sweep', now, SWEEP_SECONDS),
        ];
      }
      case 'TimerFired':
        return onTimer(input.data.timerId, snapshotId, state);
      case 'CommandRefused': {
        const { command, message } = input.data;
        if (command.type !== 'PlanExportJobs') return [];
        if (state.ended) return cancelOpenJobs(state.jobs, PLANNED_TOO_LATE);
        return [
          queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'DATA_LOAD_ERROR', errorMessage: message }),
        ];
      }
      case 'CommandSucceeded':
        // The snapshot ended while its jobs were being planned: those that came after their cancellation go now.
        return state.ended && input.data.command.type === 'PlanExportJobs'
          ? cancelOpenJobs(state.jobs, PLANNED_TOO_LATE)
          : [];
      default:
        return [];
    }
  },
};

const jobsOf = (
  jobs: readonly { readonly jobId: number; readonly jobType: JobType; readonly entityName: string }[],
): State['jobs'] =>
  new Map(jobs.map(({ jobId, jobType, entityName }) => [jobId, { jobType, entityName, attempt: 0, result: null }]));

const isUnderWay = (jobs: readonly SubmittedJob[]): boolean => jobs.some(({ query }) => query !== null);
/** Why a job fails that takes too long. */
export const exportTimeout = (maxSeconds: number) => ({
  errorCode: 'EXPORT_TIMEOUT',
  errorMessage: `The export ran longer than ${maxSeconds} seconds.`,
});

const claimedAt = (leaseUntil: string): Date => new Date(Date.parse(leaseUntil) - LEASE_MINUTES * 60_000);

const cancelOpenJobs = (jobs: State['jobs'], reason: string): readonly ProcessOutput<ProcessCommand>[] =>
  [...jobs]
    .filter(([, job]) => job.result === null)
    .map(([jobId]) => queueCommand({ type: 'CancelExportJob', jobId, reason }));

const cancelLease = (jobId: number): ProcessOutput<never> => cancelTimer(`lease:${jobId}`);

const withProgress = (jobs: State['jobs'], jobId: number, progress: Partial<JobProgress>): State['jobs'] => {
  const job = jobs.get(jobId);
  return job === undefined ? jobs : new Map(jobs).set(jobId, { ...job, ...progress });
};

const withResult = (
  jobs: State['jobs'],
  event: Extract<ExportJobEvent, { type: 'ExportJobCompleted' | 'ExportJobFailed' }>,
): State['jobs'] => {
  const result: JobProgress['result'] =
    event.type === 'ExportJobCompleted'
      ? { ok: true, rowCount: event.data.rowCount, sizeBytes: event.data.sizeBytes }
      : { ok: false, errorCode: event.data.errorCode, errorMessage: event.data.errorMessage };
  return withProgress(jobs, event.data.jobId, { result });
};

/** The end of a snapshot, drawn once every job has ended; null before. */
type ExportResult = Extract<ProcessCommand, { type: 'CompleteSnapshot' | 'FailSnapshot' }>;

/** What the events of a snapshot and of its jobs lead to; null while a job is open, and once that is drawn. */
export const exportResult = (snapshotId: number, events: readonly Input[]): ExportResult | null => {
  const { ended, jobs } = events.reduce<State>(
    (state, event) => snapshotExport.evolve(state, event),
    snapshotExport.initial,
  );
  return ended || jobs.size === 0 ? null : drawResult(snapshotId, jobs);
};

const conclude = (snapshotId: number, jobs: State['jobs']): readonly ProcessOutput<ProcessCommand>[] => {
  const result = drawResult(snapshotId, jobs);
  return result === null ? [] : [queueCommand(result)];
};

const drawResult = (snapshotId: number, jobs: State['jobs']): ExportResult | null => {
  const all = [...jobs.values()];
  if (all.some((job) => job.result === null)) return null;
  const failures = all.flatMap(({ jobType, entityName, result }) =>
    result !== null && !result.ok
      ? [{ ...result, words: named(`${jobType} ${entityName}: `, result.errorMessage) }]
      : [],
  );
  const [first] = failures;
  if (first !== undefined) {
    const errorMessage = failures.map(({ words }) => words).join('\n');
    return { type: 'FailSnapshot', snapshotId, errorCode: first.errorCode, errorMessage };
  }
  const rows = (jobType: JobType): Record<string, number> =>
    Object.fromEntries(
      all.flatMap((job) =>
        job.jobType === jobType && job.result?.ok === true ? [[job.entityName, job.result.rowCount]] : [],
      ),
    );
  const sizeBytes = all.reduce((sum, { result }) => sum + (result?.ok === true ? result.sizeBytes : 0), 0);
  return { type: 'CompleteSnapshot', snapshotId, sizeBytes, nodeCounts: rows('node'), edgeCounts: rows('edge') };
};

/** Workers name the definition themselves, mostly. */
const named = (definition: string, message: string): string =>
  message.startsWith(definition) ? message : definition + message;

const onTimer = (
  timerId: string,
  snapshotId: number,
  { jobs, exportMaxSeconds, isPlannedOutside, deletedPath }: State,
): readonly ProcessOutput<ProcessCommand>[] => {
  if (deletedPath !== null) {
    return timerId === 'sweep'
      ? [queueCommand({ type: 'DeleteSnapshotFiles', snapshotId, storagePath: deletedPath })]
      : [];
  }
  const [kind, job] = timerId.split(':');
  const jobId = Number(job);
  if (kind === 'lease') {
    return [queueCommand({ type: 'ExpireLease', jobId, attempt: jobs.get(jobId)?.attempt ?? 0, reason: LEASE_LAPSED })];
  }
  if (kind === 'duration') {
    return [queueCommand({ type: 'FailExportJob', jobId, ...exportTimeout(exportMaxSeconds) })];
  }
  if (isPlannedOutside && jobs.size === 0) {
    const errorMessage = `Nobody posted the export jobs of snapshot ${snapshotId} within ${UNCLAIMED_SECONDS / 60} minutes; start a submitter.`;
    return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'EXPORT_TIMEOUT', errorMessage })];
  }
  const errorMessage = `No export worker took a job of snapshot ${snapshotId} within ${UNCLAIMED_SECONDS / 60} minutes; start one.`;
  return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'EXPORT_TIMEOUT', errorMessage })];
};
