import { isLeft, isRight } from 'fp-ts/Either';
import { type JobName, jobStream, type OpenTrigger, pauseAfter, RUN_AT_START, type RunOutcome } from '../../domain/job';
import { type JobRuns } from '../../domain/ports/job-runs';
import { type Lease } from '../../domain/ports/lease-store';
import { jobs } from '../kit/aggregates';
import { type CommandPorts, requestContext } from '../kit/command-context';
import { handleCommand, loadStream } from '../kit/handle-command';
import { type Job } from './job';

/** Tells that there may be new triggers. Counting makes a lost wake-up impossible. */
export interface TriggerNews {
  readonly count: number;
  /** Resolves when news came after `count`, when `timeoutMs` have passed, or when `signal` aborts. */
  waitBeyond(count: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export interface JobLoopPorts extends CommandPorts {
  readonly runs: JobRuns;
  readonly news: TriggerNews;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onRun: (name: JobName, outcome: RunOutcome, trigger: OpenTrigger | null) => void;
  /** A failure that will be tried again. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** When this replica started. */
  readonly startedAt: Date;
}

/** Triggers are looked for so often even when nobody told of them. */
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
  const nowMs = (): number => ports.clock.now().getTime();
  let nextRunAt: number | null = null;
  let known = { state: jobs.decider.initial, revision: -1 };

  const look = async (): Promise<void> => {
    const { decider, catalogue } = jobs;
    const from = { initial: known.state, evolve: decider.evolve };
    const loaded = await loadStream(ports.store, from, catalogue, jobStream(job.name), known.revision + 1);
    if (isLeft(loaded)) throw new Error(loaded.left.message);
    const { state, events } = loaded.right;
    known = { state, revision: events.at(-1)?.revision ?? known.revision };
  };

  const begin = async (): Promise<number> => {
    const { lastStartedAt, nextRunAt: planned } = await ports.runs.takeOver(job.name);
    const atStart = RUN_AT_START.has(job.name) && (lastStartedAt === null || lastStartedAt < ports.startedAt);
    // A schedule that was shortened meanwhile holds at once.
    return atStart || planned === null ? nowMs() : Math.min(planned.getTime(), nowMs() + intervalMs);
  };

  /** Under one command id, so that a recording whose answer was lost is not repeated. */
  const recordRun = (trigger: OpenTrigger | null, startedAt: Date, outcome: RunOutcome): (() => Promise<void>) => {
    const context = requestContext(ports.ids, { username: `system:job-${job.name}`, role: 'system' }, ports.ids.uuid());
    const run = { jobName: job.name, trigger, startedAt: startedAt.toISOString(), outcome };
    const command = { type: 'RecordRun', ...run } as const;
    return async () => {
      const decided = jobs.decider.decide(command, known.state, { now: ports.clock.now(), actor: context.actor });
      // Nothing to keep, which is the rule: the stream need not be read.
      if (isRight(decided) && decided.right.length === 0) return;
      const recorded = await handleCommand(ports, jobs, jobStream(job.name), command, context);
      if (isLeft(recorded)) throw new Error(recorded.left.message);
      await look();
    };
  };

  /** Time of the next run; null when this one has no outcome. */
  const run = async (trigger: OpenTrigger | null): Promise<number | null> => {
    const startedAt = ports.clock.now();
    if (!(await ports.runs.begin(job.name, startedAt, lease))) return null;
    const outcome = await outcomeOf(job, trigger, signal);
    if (signal.aborted) return null;
    await untilDone(ports, `recording a run of ${job.name}`, signal, recordRun(trigger, startedAt, outcome));
    const endedAt = ports.clock.now();
    const pauseMs = pauseAfter(intervalMs, known.state.consecutiveFailures);
    const next = new Date(Math.max(startedAt.getTime() + pauseMs, endedAt.getTime()));
    const ended = { startedAt, endedAt, triggeredBy: trigger?.triggeredBy ?? null, outcome };
    await untilDone(ports, `noting a run of ${job.name}`, signal, () => ports.runs.end(job.name, ended, next));
    ports.onRun(job.name, outcome, trigger);
    return next.getTime();
  };

  while (!signal.aborted) {
    try {
      nextRunAt ??= await begin();
      const { count } = ports.news;
      await look();
      const { openTrigger } = known.state;
      if (openTrigger !== null || nextRunAt <= nowMs()) {
        const next = await run(openTrigger);
        // Not ours to run any more: whoever keeps the lease is about to find out.
        if (next === null) await ports.pause(RETRY_MS, signal);
        else nextRunAt = next;
      } else {
        await ports.news.waitBeyond(count, Math.min(nextRunAt - nowMs(), LOOK_EVERY_MS), signal);
      }
    } catch (error) {
      ports.onTrouble(`the loop of the job ${job.name}`, error);
      await ports.pause(RETRY_MS, signal);
    }
  }
};

/** A job that throws has a bug; its loop goes on. */
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

const untilDone = async (
  ports: JobLoopPorts,
  what: string,
  signal: AbortSignal,
  task: () => Promise<void>,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      return await task();
    } catch (error) {
      ports.onTrouble(what, error);
      await ports.pause(RETRY_MS, signal);
    }
  }
};
