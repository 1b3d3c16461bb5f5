import { left } from 'fp-ts/Either';
import { counted } from '../kernel/counted';
import { accept, deciderOf } from '../kernel/decider';
import { domainError } from '../kernel/errors';
import { type JobEvent, type JobName } from './events';

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: 'succeeded'; readonly result: Readonly<Record<string, number>> }
  | { readonly kind: 'failed'; readonly errorCode: string; readonly errorMessage: string };

export type JobCommand =
  | { readonly type: 'TriggerJob'; readonly jobName: JobName; readonly reason: string }
  | {
      readonly type: 'RecordRun';
      readonly jobName: JobName;
      readonly trigger: OpenTrigger | null;
      readonly startedAt: string;
      readonly outcome: RunOutcome;
    };

/** A trigger that no run has fulfilled yet. */
export interface OpenTrigger {
  /** Counts from 1. */
  readonly number: number;
  readonly triggeredBy: string;
}

/** The state of a job, folded from its stream. */
export interface JobHistory {
  readonly triggers: number;
  readonly lastTriggeredAt: string | null;
  readonly openTrigger: OpenTrigger | null;
  readonly consecutiveFailures: number;
}

/** Minimum number of seconds between two triggers of a job. */
export const TRIGGER_PAUSE_SECONDS = 60;

export const jobStream = (name: JobName): string => `job-${name}`;

/** Records triggers and their outcome, failures, and the first success after failures. */
export const job = deciderOf<JobCommand, JobEvent, JobHistory>()({
  initial: { triggers: 0, lastTriggeredAt: null, openTrigger: null, consecutiveFailures: 0 },

  decide: {
    TriggerJob: ({ jobName, reason }, state, { now, actor }) => {
      const wait = secondsToWait(state.lastTriggeredAt, now);
      if (wait > 0) return left(tooSoon(jobName, wait));
      const trigger = state.triggers + 1;
      const data = { jobName, trigger, triggeredBy: actor.username, triggeredAt: now.toISOString(), reason };
      return accept([{ type: 'JobTriggered', data }]);
    },

    RecordRun: ({ jobName, trigger, startedAt, outcome }, state) => {
      const run = { jobName, trigger: trigger?.number ?? null, triggeredBy: trigger?.triggeredBy ?? null, startedAt };
      if (outcome.kind === 'failed') {
        const { errorCode, errorMessage } = outcome;
        return accept([{ type: 'JobRunFailed', data: { ...run, errorCode, errorMessage } }]);
      }
      return trigger === null && state.consecutiveFailures === 0
        ? accept([])
        : accept([{ type: 'JobRunSucceeded', data: { ...run, result: outcome.result } }]);
    },
  },

  evolve: (state, { type, data }) => {
    if (type === 'JobTriggered') {
      const { trigger, triggeredAt, triggeredBy } = data;
      const openTrigger = { number: trigger, triggeredBy };
      return { ...state, triggers: trigger, lastTriggeredAt: triggeredAt, openTrigger };
    }
    const { openTrigger } = state;
    const answered = openTrigger === null || (data.trigger !== null && data.trigger >= openTrigger.number);
    return {
      ...state,
      openTrigger: answered ? null : openTrigger,
      consecutiveFailures: type === 'JobRunFailed' ? state.consecutiveFailures + 1 : 0,
    };
  },
});

/** At most the whole pause, also when the clock of the replica that took the last trigger was ahead. */
const secondsToWait = (lastTriggeredAt: string | null, now: Date): number => {
  if (lastTriggeredAt === null) return 0;
  const passedMs = now.getTime() - Date.parse(lastTriggeredAt);
  return Math.min(TRIGGER_PAUSE_SECONDS, Math.ceil(TRIGGER_PAUSE_SECONDS - passedMs / 1000));
};

const tooSoon = (jobName: JobName, seconds: number) =>
  domainError(
    'RATE_LIMIT_EXCEEDED',
    `The job ${jobName} was triggered less than ${TRIGGER_PAUSE_SECONDS} seconds ago. Try again in ${counted(seconds, 'second')}.`,
    { job_name: jobName, retry_after_seconds: seconds },
  );

/** Milliseconds from the start of one run to that of the next, by job. */
export type JobIntervals = Readonly<Record<JobName, number>>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const DEFAULT_JOB_INTERVALS: JobIntervals = {
  reconciliation: 5 * MINUTE,
  lifecycle: 5 * MINUTE,
  export_reconciliation: 5 * SECOND,
  schema_cache: 24 * HOUR,
  resource_monitor: 60 * SECOND,
  seal: 60 * SECOND,
  verification: 7 * DAY,
};

/** The lease whose holder runs the jobs. */
export const JOBS_LEASE = 'jobs';

/** Jobs that also run when a replica starts, however recently they ran. */
export const RUN_AT_START: ReadonlySet<JobName> = new Set<JobName>(['schema_cache']);

/** How long after the start of a replica jobs that never ran do so; others at once. */
export const FIRST_RUN_AFTER_MS: Readonly<Partial<Record<JobName, number>>> = { verification: HOUR };

/** Number of consecutive failures that makes a job unhealthy. */
export const UNHEALTHY_AFTER = 3;
const LONGEST_BACKOFF_MS = 5 * MINUTE;

/**
 * Milliseconds from the start of a run to the next. The pause of an unhealthy job grows with each failure, to at most
 * five minutes: each failure is an event, and a job that runs every five seconds would fill the log.
 */
export const pauseAfter = (intervalMs: number, consecutiveFailures: number): number =>
  Math.max(
    intervalMs,
    Math.min(LONGEST_BACKOFF_MS, intervalMs * 2 ** Math.min(20, Math.max(0, consecutiveFailures - UNHEALTHY_AFTER))),
  );

/** A schedule as text: `every 5 minutes`. */
export const scheduleText = (intervalMs: number): string => {
  for (const [unit, ms] of [
    ['days', DAY],
    ['hours', HOUR],
    ['minutes', MINUTE],
  ] as const) {
    if (intervalMs % ms === 0 && intervalMs > ms) return `every ${intervalMs / ms} ${unit}`;
  }
  return `every ${intervalMs / SECOND} ${intervalMs === SECOND ? 'second' : 'seconds'}`;
};
