import { left } from 'fp-ts/Either';
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
    `The job ${jobName} was triggered less than ${TRIGGER_PAUSE_SECONDS} seconds ago. Try again in ${seconds} seconds.`,
    { job_name: jobName, retry_after_seconds: seconds },
  );
