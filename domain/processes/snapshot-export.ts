import { DEFAULT_EXPORT_MAX_SECONDS } from '../config';
import { type ExportJobEvent, type JobType, LEASE_MINUTES } from '../export-job';
import {
  cancelTimer,
  type Process,
  type ProcessOutput,
  type ProcessSignal,
  queueCommand,
  setTimer,
} from '../kernel/process';
import { type SnapshotEvent, type SubmittedJob } from '../snapshot';
import { type ProcessCommand } from './commands';

const LISTENS_TO = [
  'SnapshotRequested',
  'SnapshotJobsSubmitted',
  'SnapshotReady',
  'SnapshotFailed',
  'SnapshotDeleted',
  'ExportJobClaimed',
  'ExportJobSubmitted',
  'ExportJobLeaseExpired',
  'ExportJobReturned',
  'ExportJobCompleted',
  'ExportJobFailed',
] as const;
type Input = Extract<SnapshotEvent | ExportJobEvent, { type: (typeof LISTENS_TO)[number] }>;

type Timer = 'unclaimed' | 'sweep' | `${'lease' | 'duration'}:${number}`;
type Outputs = readonly ProcessOutput<ProcessCommand, Timer>[];

interface JobProgress {
  readonly jobType: JobType;
  readonly entityName: string;
  readonly attempt: number;
  readonly end: Extract<ExportJobEvent, { type: 'ExportJobCompleted' | 'ExportJobFailed' }> | null;
}

interface State {
  readonly jobs: ReadonlyMap<number, JobProgress>;
  readonly exportMaxSeconds: number;
  /** An external submitter plans the jobs of the snapshot. */
  readonly isPlannedOutside: boolean;
  readonly started: boolean;
  readonly ended: boolean;
  /** Folder of the files of a deleted snapshot, null while it exists. */
  readonly deletedPath: string | null;
}

export const LEASE_LAPSED = 'the worker did not report within its lease';
const PLANNED_TOO_LATE = 'its snapshot ended before it was planned';
/** Seconds that a job may wait for a first worker. */
const UNCLAIMED_SECONDS = 3600;
/** After a deletion a worker may still write until its lease ends; then the files are removed once more. */
const SWEEP_SECONDS = (LEASE_MINUTES + 5) * 60;

/**
 * Drives one snapshot from its request to `ready` or `failed`: plans a job per definition, checks leases and the
 * maximum duration, and decides the outcome when all jobs have ended.
 */
export const snapshotExport: Process<Input, State, ProcessCommand, Timer> = {
  name: 'snapshot_export',
  listensTo: LISTENS_TO,
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
        return { ...state, started: hasRunningQuery(input.data.jobs), jobs: jobsOf(input.data.jobs) };
      case 'ExportJobClaimed':
        return {
          ...state,
          started: true,
          jobs: withProgress(state.jobs, input.data.jobId, { attempt: input.data.attempt }),
        };
      case 'ExportJobCompleted':
      case 'ExportJobFailed':
        return { ...state, jobs: withProgress(state.jobs, input.data.jobId, { end: input }) };
      case 'SnapshotReady':
      case 'SnapshotFailed':
        return { ...state, ended: true };
      case 'SnapshotDeleted':
        return { ...state, ended: true, deletedPath: input.data.storagePath };
      case 'ExportJobSubmitted':
      case 'ExportJobLeaseExpired':
      case 'ExportJobReturned':
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
      case 'SnapshotJobsSubmitted':
        return onSubmitted(state, input.data.jobs, snapshotId, now);
      case 'ExportJobClaimed':
        // An executor that had lost its lease planned these jobs after the others were cancelled.
        if (state.ended)
          return [queueCommand({ type: 'CancelExportJob', jobId: input.data.jobId, reason: PLANNED_TOO_LATE })];
        return onClaimed(state, input.data, snapshotId);
      case 'ExportJobSubmitted':
        return [cancelTimer(`lease:${input.data.jobId}`)];
      case 'ExportJobLeaseExpired':
      case 'ExportJobReturned':
        return cancelJobTimers(input.data.jobId);
      case 'ExportJobCompleted':
      case 'ExportJobFailed': {
        const jobs = withProgress(state.jobs, input.data.jobId, { end: input });
        const timers = cancelJobTimers(input.data.jobId);
        if (state.deletedPath !== null) return [...timers, ...deleteFiles(jobs, snapshotId, state.deletedPath)];
        const result = state.ended ? null : drawResult(snapshotId, jobs);
        return [...timers, ...(result === null ? [] : [queueCommand(result)])];
      }
      case 'SnapshotFailed':
        return [cancelTimer('unclaimed'), ...cancelOpenJobs(state.jobs, shortened(input.data.errorMessage))];
      case 'SnapshotReady':
        return [cancelTimer('unclaimed')];
      case 'SnapshotDeleted': {
        const { storagePath, reason } = input.data;
        return [
          cancelTimer('unclaimed'),
          ...cancelOpenJobs(state.jobs, reason),
          ...deleteFiles(state.jobs, snapshotId, storagePath),
          setTimer('sweep', now, SWEEP_SECONDS),
        ];
      }
      case 'TimerFired':
        return onTimer(input.data.timerId, snapshotId, state);
      case 'CommandRefused':
      case 'CommandSucceeded':
        return input.data.command.type === 'PlanExportJobs' ? onPlanned(state, input, snapshotId) : [];
    }
  },
};

const onSubmitted = (state: State, jobs: readonly SubmittedJob[], snapshotId: number, now: Date): Outputs => {
  const plan = queueCommand({ type: 'PlanExportJobs' as const, snapshotId });
  if (!hasRunningQuery(jobs)) return [plan, setTimer('unclaimed', now, UNCLAIMED_SECONDS)];
  const running = jobs.filter(({ query }) => query !== null);
  return [
    plan,
    cancelTimer('unclaimed'),
    queueCommand({ type: 'StartExport', snapshotId }),
    ...running.map(({ jobId }) => setTimer(`duration:${jobId}` as const, now, state.exportMaxSeconds)),
  ];
};

const onClaimed = (
  state: State,
  { jobId, leaseUntil }: { readonly jobId: number; readonly leaseUntil: string },
  snapshotId: number,
): Outputs => [
  ...(state.started ? [] : [cancelTimer('unclaimed'), queueCommand({ type: 'StartExport' as const, snapshotId })]),
  { kind: 'set_timer', timerId: `lease:${jobId}`, dueAt: leaseUntil },
  setTimer(`duration:${jobId}`, claimedAt(leaseUntil), state.exportMaxSeconds),
];

/** If the snapshot ended while its jobs were being planned, jobs planned after the cancellation are cancelled now. */
const onPlanned = (
  state: State,
  planned: Exclude<ProcessSignal<ProcessCommand>, { type: 'TimerFired' }>,
  snapshotId: number,
): Outputs => {
  if (state.ended) return cancelOpenJobs(state.jobs, PLANNED_TOO_LATE);
  if (planned.type === 'CommandSucceeded') return [];
  const { message: errorMessage } = planned.data;
  return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'DATA_LOAD_ERROR', errorMessage })];
};

const jobsOf = (
  jobs: readonly { readonly jobId: number; readonly jobType: JobType; readonly entityName: string }[],
): State['jobs'] =>
  new Map(jobs.map(({ jobId, jobType, entityName }) => [jobId, { jobType, entityName, attempt: 0, end: null }]));

const isInput = (event: SnapshotEvent | ExportJobEvent): event is Input =>
  LISTENS_TO.some((type) => type === event.type);

const hasRunningQuery = (jobs: readonly SubmittedJob[]): boolean => jobs.some(({ query }) => query !== null);
/** The failure of a job that exceeds the maximum duration. */
export const exportTimeout = (maxSeconds: number) => ({
  errorCode: 'EXPORT_TIMEOUT',
  errorMessage: `The export ran longer than ${maxSeconds} seconds.`,
});

const claimedAt = (leaseUntil: string): Date => new Date(Date.parse(leaseUntil) - LEASE_MINUTES * 60_000);

/** Characters of a message that is stored once for each job; an event store limits the size of an append. */
const MAX_CHARACTERS = 500;

const shortened = (message: string): string => Array.from(message).slice(0, MAX_CHARACTERS).join('');

const cancelOpenJobs = (jobs: State['jobs'], reason: string): Outputs =>
  [...jobs]
    .filter(([, { end }]) => end === null)
    .map(([jobId]) => queueCommand({ type: 'CancelExportJob', jobId, reason }));

/**
 * Files are removed only after all jobs have ended: a worker would report the removal of files it is writing as a
 * failure of the store.
 */
const deleteFiles = (jobs: State['jobs'], snapshotId: number, storagePath: string): Outputs =>
  [...jobs.values()].some(({ end }) => end === null)
    ? []
    : [queueCommand({ type: 'DeleteSnapshotFiles', snapshotId, storagePath })];

const cancelJobTimers = (jobId: number): Outputs => [cancelTimer(`lease:${jobId}`), cancelTimer(`duration:${jobId}`)];

const withProgress = (jobs: State['jobs'], jobId: number, progress: Partial<JobProgress>): State['jobs'] => {
  const job = jobs.get(jobId);
  return job === undefined ? jobs : new Map(jobs).set(jobId, { ...job, ...progress });
};

/** The outcome of a snapshot. */
type ExportResult = Extract<ProcessCommand, { type: 'CompleteSnapshot' | 'FailSnapshot' }>;

/**
 * The outcome that the events of a snapshot and its jobs determine; null while a job is open, and after the snapshot
 * has ended.
 */
export const exportResult = (
  snapshotId: number,
  events: readonly (SnapshotEvent | ExportJobEvent)[],
): ExportResult | null => {
  const { ended, jobs } = events
    .filter(isInput)
    .reduce<State>((state, event) => snapshotExport.evolve(state, event), snapshotExport.initial);
  return ended || jobs.size === 0 ? null : drawResult(snapshotId, jobs);
};

const drawResult = (snapshotId: number, jobs: State['jobs']): ExportResult | null => {
  const all = [...jobs.values()];
  if (all.some(({ end }) => end === null)) return null;
  const failures = all.flatMap(({ jobType, entityName, end }) =>
    end?.type === 'ExportJobFailed' ? [{ ...end.data, definition: `${jobType} ${entityName}: ` }] : [],
  );
  const [first] = failures;
  if (first !== undefined) {
    // Most workers include the definition in their message.
    const errorMessage = failures
      .map(({ definition, errorMessage: text }) => (text.startsWith(definition) ? text : definition + text))
      .map((text) => (failures.length > 1 ? shortened(text) : text))
      .join('\n');
    return { type: 'FailSnapshot', snapshotId, errorCode: first.errorCode, errorMessage };
  }
  const exported = all.flatMap(({ jobType, entityName, end }) =>
    end?.type === 'ExportJobCompleted' ? [{ ...end.data, jobType, entityName }] : [],
  );
  const rows = (wanted: JobType): Record<string, number> =>
    Object.fromEntries(
      exported.filter(({ jobType }) => jobType === wanted).map(({ entityName, rowCount }) => [entityName, rowCount]),
    );
  const sizeBytes = exported.reduce((sum, job) => sum + job.sizeBytes, 0);
  return { type: 'CompleteSnapshot', snapshotId, sizeBytes, nodeCounts: rows('node'), edgeCounts: rows('edge') };
};

const onTimer = (timer: Timer, snapshotId: number, state: State): Outputs => {
  const { jobs, exportMaxSeconds, deletedPath: storagePath } = state;
  if (storagePath !== null) {
    return timer === 'sweep' ? [queueCommand({ type: 'DeleteSnapshotFiles', snapshotId, storagePath })] : [];
  }
  if (timer === 'sweep') return [];
  if (timer === 'unclaimed') {
    const minutes = `within ${UNCLAIMED_SECONDS / 60} minutes`;
    const errorMessage =
      state.isPlannedOutside && jobs.size === 0
        ? `The export jobs of snapshot ${snapshotId} were not posted ${minutes}; start a submitter.`
        : `No export worker claimed a job of snapshot ${snapshotId} ${minutes}; start a worker.`;
    return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'EXPORT_TIMEOUT', errorMessage })];
  }
  const [kind, id] = timer.split(':');
  const jobId = Number(id);
  if (kind === 'duration') return [queueCommand({ type: 'FailExportJob', jobId, ...exportTimeout(exportMaxSeconds) })];
  const attempt = jobs.get(jobId)?.attempt ?? 0;
  return [queueCommand({ type: 'ExpireLease', jobId, attempt, reason: LEASE_LAPSED })];
};
