import { isLeft, left, right } from 'fp-ts/Either';
import {
  FIRST_RUN_AFTER_MS,
  type JobIntervals,
  type JobName,
  JOBS_LEASE,
  jobStream,
  type OpenTrigger,
  pauseAfter,
  RUN_AT_START,
  type RunOutcome,
} from '../../domain/job';
import { type FeedNotifications } from '../../domain/ports/event-store';
import { type JobRuns } from '../../domain/ports/job-runs';
import { type Lease } from '../../domain/ports/lease-store';
import { jobs } from '../kit/aggregates';
import { type Cause, type CommandContext, type CommandPorts, contextOf, firstCause } from '../kit/command-context';
import { type Done, handleCommand } from '../kit/handle-command';
import { loadHistory, loadStream } from '../kit/load-stream';
import { type LeasePorts, runUnderLease } from './hold-lease';
import { type Job, type JobRun } from './job';

export interface JobLoopPorts extends CommandPorts, Pick<LeasePorts, 'pause' | 'onError'> {
  readonly runs: JobRuns;
  /** Notifies of possible new triggers. */
  readonly triggerSignal: Pick<FeedNotifications, 'version' | 'waitAfter'>;
  readonly onRun: (name: JobName, outcome: RunOutcome, trigger: OpenTrigger | null) => void;
  /** Start time of this replica. */
  readonly startedAt: Date;
}

/** Interval of polling for triggers without a notification. */
const CHECK_EVERY_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Runs one job by its schedule and on triggers, one run at a time, until `signal` aborts. A run that the signal
 * interrupts has no outcome: its trigger stays open for the next holder of the lease.
 */
export const runJobLoop = async (
  ports: JobLoopPorts,
  job: Job,
  intervalMs: number,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, triggerSignal, pause } = ports;
  let nextRunAt: number | null = null;
  /** Runs the job if it is due, or waits until it may be. */
  const step = async (): Done<void> => {
    nextRunAt ??= await firstRunAt(ports, job.name, intervalMs);
    const { version } = triggerSignal;
    const history = await loadStream(ports, jobs, jobStream(job.name));
    if (isLeft(history)) return history;
    const { openTrigger } = history.right.state;
    const waitMs = nextRunAt - clock.now().getTime();
    if (openTrigger === null && waitMs > 0) {
      return right(await triggerSignal.waitAfter(version, Math.min(waitMs, CHECK_EVERY_MS), signal));
    }
    const cause = await causeOfRun(ports, job.name, openTrigger);
    if (isLeft(cause)) return cause;
    const run = { signal, triggeredBy: openTrigger?.triggeredBy ?? null, cause: cause.right };
    const next = await runOnce(ports, job, run, openTrigger, intervalMs, lease);
    // The lease is lost; `signal` is about to abort.
    if (next === null) await pause(RETRY_MS, signal);
    else nextRunAt = next.getTime();
    return right(undefined);
  };
  while (!signal.aborted) await untilDone(ports, `the loop of the job ${job.name}`, signal, step);
};

const firstRunAt = async (
  { runs, startedAt, clock }: JobLoopPorts,
  name: JobName,
  intervalMs: number,
): Promise<number> => {
  const now = clock.now().getTime();
  const first = new Date(now + Math.min(intervalMs, FIRST_RUN_AFTER_MS[name] ?? 0));
  const { lastStartedAt, nextRunAt } = await runs.takeOver(name, first);
  const isAtStart = RUN_AT_START.has(name) && (lastStartedAt === null || lastStartedAt < startedAt);
  if (isAtStart) return now;
  // A shortened schedule applies immediately.
  return Math.min(nextRunAt.getTime(), now + intervalMs);
};

/** The event that triggered a run; of a scheduled run, its own id. */
const causeOfRun = async (ports: JobLoopPorts, name: JobName, trigger: OpenTrigger | null): Done<Cause> => {
  if (trigger === null) return right(firstCause(ports.ids.uuid()));
  const history = await loadHistory(ports.store, jobs, jobStream(name));
  if (isLeft(history)) return history;
  const event = history.right.events.findLast(
    ({ type, data }) => type === 'JobTriggered' && data.trigger === trigger.number,
  );
  return right(
    event === undefined
      ? firstCause(ports.ids.uuid())
      : { correlationId: event.metadata.correlationId, causationId: event.id },
  );
};

/** Time of the next run; null when this one has no outcome. */
const runOnce = async (
  ports: JobLoopPorts,
  job: Job,
  run: JobRun,
  trigger: OpenTrigger | null,
  intervalMs: number,
  lease: Lease,
): Promise<Date | null> => {
  const { runs, clock, ids, onRun } = ports;
  const { name } = job;
  const { signal, triggeredBy, cause } = run;
  const startedAt = clock.now();
  if (!(await runs.begin(name, startedAt, lease))) return null;
  const outcome = await outcomeOf(job, run);
  // All attempts have one command id, so that a run is recorded once even if a response is lost.
  const context = contextOf(ids, { username: `system:job-${name}`, role: 'system' }, cause);
  const command = { type: 'RecordRun', jobName: name, trigger, startedAt: startedAt.toISOString(), outcome } as const;
  const recorded = await untilDone(ports, `recording a run of ${name}`, signal, () =>
    handleCommand(ports, jobs, jobStream(name), command, context),
  );
  if (recorded === null) return null;
  const endedAt = clock.now();
  const pauseMs = pauseAfter(intervalMs, recorded.state.consecutiveFailures);
  const next = new Date(Math.max(startedAt.getTime() + pauseMs, endedAt.getTime()));
  const ended = { startedAt, endedAt, triggeredBy, outcome };
  await untilDone(ports, `saving a run of ${name}`, signal, async () => right(await runs.end(name, ended, next)));
  onRun(name, outcome, trigger);
  return next;
};

/** A job that throws has a bug; its loop continues. */
const outcomeOf = async (job: Job, run: JobRun): Promise<RunOutcome> => {
  try {
    const result = await job.run(run);
    return isLeft(result)
      ? { kind: 'failed', errorCode: result.left.code, errorMessage: result.left.message }
      : { kind: 'succeeded', result: result.right };
  } catch (error) {
    return { kind: 'failed', errorCode: 'INTERNAL_ERROR', errorMessage: String(error) };
  }
};

/** Repeats a task until it succeeds; null when the signal aborts before. */
const untilDone = async <A>(
  ports: JobLoopPorts,
  what: string,
  signal: AbortSignal,
  task: () => Done<A>,
): Promise<A | null> => {
  while (!signal.aborted) {
    const done = await task().catch((error: unknown) => left(error));
    if (!isLeft(done)) return done.right;
    ports.onError(what, done.left);
    await ports.pause(RETRY_MS, signal);
  }
  return null;
};

/**
 * Runs the background jobs whenever this replica holds their lease, until `signal` aborts. Every job has its own loop,
 * so that a long run does not delay other jobs and runs of one job never overlap.
 */
export const runJobs = (
  ports: LeasePorts & JobLoopPorts,
  jobs: readonly Job[],
  intervals: JobIntervals,
  replica: string,
  signal: AbortSignal,
): Promise<void> =>
  runUnderLease(
    ports,
    JOBS_LEASE,
    replica,
    async (lease, held) => {
      await Promise.all(jobs.map((job) => runJobLoop(ports, job, intervals[job.name], lease, held)));
    },
    signal,
  );

/** Triggers a run of a job. The replica with the lease runs it soon, also after a crash. */
export const triggerJob = (ports: CommandPorts, jobName: JobName, reason: string, context: CommandContext) =>
  handleCommand(ports, jobs, jobStream(jobName), { type: 'TriggerJob', jobName, reason }, context);
