import { type JobName } from './events';

/** Milliseconds from the start of one run to that of the next, by job. */
export type JobIntervals = Readonly<Record<JobName, number>>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_JOB_INTERVALS: JobIntervals = {
  reconciliation: 5 * MINUTE,
  lifecycle: 5 * MINUTE,
  export_reconciliation: 5 * SECOND,
  schema_cache: 24 * HOUR,
  resource_monitor: 60 * SECOND,
};

/** The lease whose holder runs the jobs. */
export const JOBS_LEASE = 'jobs';

/** Jobs that also run when a replica starts, however recently they ran. */
export const RUN_AT_START: ReadonlySet<JobName> = new Set<JobName>(['schema_cache']);

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
    ['hours', HOUR],
    ['minutes', MINUTE],
  ] as const) {
    if (intervalMs % ms === 0 && intervalMs > ms) return `every ${intervalMs / ms} ${unit}`;
  }
  return `every ${intervalMs / SECOND} ${intervalMs === SECOND ? 'second' : 'seconds'}`;
};
