import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import {
  type JobIntervals,
  type JobName,
  JOBS_LEASE,
  jobStream,
  type OpenTrigger,
  pauseAfter,
  RUN_AT_START,
  type RunOutcome,
} from '../../domain/job';
import { type DomainError } from '../../domain/kernel/errors';
import { type JobRuns } from '../../domain/ports/job-runs';
import { type Lease } from '../../domain/ports/lease-store';
import { jobs } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, requestContext } from '../kit/command-context';
import { handleCommand, loadStream } from '../kit/handle-command';
import { doWhileLeaseHeld, type LeasePorts } from './hold-lease';
import { type Job } from './job';

/** Notifies of possible new triggers. Counting makes a lost wake-up impossible. */
export interface TriggerSignal {
  readonly version: number;
  /** Resolves when one came after `version`, when `timeoutMs` have passed, or when `signal` aborts. */
  waitAfter(version: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export interface JobLoopPorts extends CommandPorts {
  readonly runs: JobRuns;
  readonly triggerSignal: TriggerSignal;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onRun: (name: JobName, outcome: RunOutcome, trigger: OpenTrigger | null) => void;
  /** A failure that will be tried again. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** When this replica started. */
  readonly startedAt: Date;
}

/** Interval of looking for triggers without a notification. */
const LOOK_EVERY_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Runs one job by its schedule and whenever it is triggered, one run after the other, until `signal` aborts. A run that
 * the signal interrupts has no outcome: a trigger it was to answer stays open for the next holder of the lease.
 */
export const runJobLoop = async (
  ports: JobLoopPorts,
  job: Job,
  intervalMs: number,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> => {
  const loop = new JobLoop(ports, job, intervalMs, lease, signal);
  while (!signal.aborted) await untilDone(ports, `the loop of the job ${job.name}`, signal, () => loop.step());
};

class JobLoop {
  private nextRunAt: number | null = null;
  private known = { state: jobs.decider.initial, revision: -1 };

  constructor(
    private readonly ports: JobLoopPorts,
    private readonly job: Job,
    private readonly intervalMs: number,
    private readonly lease: Lease,
    private readonly signal: AbortSignal,
  ) {}

  /** Runs the job if it is due, or waits until it may be. */
  async step(): Promise<Either<DomainError, void>> {
    const { triggerSignal, pause } = this.ports;
    this.nextRunAt ??= await this.firstRunAt();
    const { version } = triggerSignal;
    const looked = await this.look();
    if (isLeft(looked)) return looked;
    const { openTrigger } = this.known.state;
    if (openTrigger === null && this.nextRunAt > this.nowMs()) {
      const waitMs = Math.min(this.nextRunAt - this.nowMs(), LOOK_EVERY_MS);
      return right(await triggerSignal.waitAfter(version, waitMs, this.signal));
    }
    const next = await this.run(openTrigger);
    // The lease is lost; its keeper is about to notice.
    if (next === null) await pause(RETRY_MS, this.signal);
    else this.nextRunAt = next;
    return right(undefined);
  }

  private nowMs(): number {
    return this.ports.clock.now().getTime();
  }

  /** Reads what is new in the stream of the job. */
  private async look(): Promise<Either<DomainError, void>> {
    const loaded = await loadStream(this.ports.store, jobs, jobStream(this.job.name), this.known);
    if (isLeft(loaded)) return loaded;
    const { state, revision } = loaded.right;
    this.known = { state, revision };
    return right(undefined);
  }

  private async firstRunAt(): Promise<number> {
    const { runs, startedAt } = this.ports;
    const { lastStartedAt, nextRunAt } = await runs.takeOver(this.job.name);
    const isAtStart = RUN_AT_START.has(this.job.name) && (lastStartedAt === null || lastStartedAt < startedAt);
    // A schedule that was shortened meanwhile holds at once.
    return isAtStart || nextRunAt === null
      ? this.nowMs()
      : Math.min(nextRunAt.getTime(), this.nowMs() + this.intervalMs);
  }

  /** Time of the next run; null when this one has no outcome. */
  private async run(trigger: OpenTrigger | null): Promise<number | null> {
    const { ports, job, signal } = this;
    const startedAt = ports.clock.now();
    if (!(await ports.runs.begin(job.name, startedAt, this.lease))) return null;
    const outcome = await outcomeOf(job, trigger, signal);
    if (signal.aborted) return null;
    await untilDone(ports, `recording a run of ${job.name}`, signal, this.recordRun(trigger, startedAt, outcome));
    const endedAt = ports.clock.now();
    const pauseMs = pauseAfter(this.intervalMs, this.known.state.consecutiveFailures);
    const next = new Date(Math.max(startedAt.getTime() + pauseMs, endedAt.getTime()));
    const ended = { startedAt, endedAt, triggeredBy: trigger?.triggeredBy ?? null, outcome };
    await untilDone(ports, `noting a run of ${job.name}`, signal, async () =>
      right(await ports.runs.end(job.name, ended, next)),
    );
    ports.onRun(job.name, outcome, trigger);
    return next.getTime();
  }

  /** Under one command id, so that a recording whose answer was lost is not repeated. */
  private recordRun(trigger: OpenTrigger | null, startedAt: Date, outcome: RunOutcome) {
    const { ports, job } = this;
    const context = requestContext(ports.ids, { username: `system:job-${job.name}`, role: 'system' }, ports.ids.uuid());
    const run = { jobName: job.name, trigger, startedAt: startedAt.toISOString(), outcome };
    const command = { type: 'RecordRun', ...run } as const;
    return async (): Promise<Either<DomainError, void>> => {
      const decision = { now: ports.clock.now(), actor: context.actor };
      const decided = jobs.decider.decide(command, this.known.state, decision);
      // Nothing to keep, which is the rule: the stream need not be read.
      if (isRight(decided) && decided.right.length === 0) return right(undefined);
      const recorded = await handleCommand(ports, jobs, jobStream(job.name), command, context);
      return isLeft(recorded) ? recorded : this.look();
    };
  }
}

/** A job that throws has a bug; its loop continues. */
const outcomeOf = async (job: Job, trigger: OpenTrigger | null, signal: AbortSignal): Promise<RunOutcome> => {
  try {
    const result = await job.run({ signal, triggeredBy: trigger?.triggeredBy ?? null });
    return isLeft(result)
      ? { kind: 'failed', errorCode: result.left.code, errorMessage: result.left.message }
      : { kind: 'succeeded', result: result.right };
  } catch (error) {
    return { kind: 'failed', errorCode: 'INTERNAL_ERROR', errorMessage: String(error) };
  }
};

/** Repeats a task until it succeeds or the signal aborts. */
const untilDone = async (
  ports: JobLoopPorts,
  what: string,
  signal: AbortSignal,
  task: () => Promise<Either<DomainError, void>>,
): Promise<void> => {
  while (!signal.aborted) {
    const done = await task().catch((error: unknown) => left(error));
    if (!isLeft(done)) return;
    ports.onTrouble(what, done.left);
    await ports.pause(RETRY_MS, signal);
  }
};

/**
 * Runs the background jobs whenever this replica holds their lease, until `signal` aborts. Every job has a loop of its
 * own, so that a long one does not hold up the others and none overlaps itself.
 */
export const runJobs = (
  ports: LeasePorts & JobLoopPorts,
  jobs: readonly Job[],
  intervals: JobIntervals,
  replica: string,
  signal: AbortSignal,
): Promise<void> =>
  doWhileLeaseHeld(
    ports,
    JOBS_LEASE,
    replica,
    async (lease, held) => {
      await Promise.all(jobs.map((job) => runJobLoop(ports, job, intervals[job.name], lease, held)));
    },
    signal,
  );

/** Orders a run of a job. Whichever replica holds the lease runs it soon, also after a crash. */
export const triggerJob = (ports: CommandPorts, jobName: JobName, reason: string, context: CommandContext) =>
  handleCommand(ports, jobs, jobStream(jobName), { type: 'TriggerJob', jobName, reason }, context);
