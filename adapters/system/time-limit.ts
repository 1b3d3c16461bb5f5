import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Default time limit of a request and its calls to stores. */
export const DEFAULT_TIMEOUT_MS = 8_000;

const deadlines = new AsyncLocalStorage<number>();

/** Runs a function with a time limit in milliseconds; its callees read `remainingTimeMs`. */
export const withTimeLimit = <A>(ms: number, work: () => A): A => deadlines.run(performance.now() + ms, work);

/** Remaining milliseconds of the current time limit, at least 0; `fallbackMs` without a limit. */
export const remainingTimeMs = (fallbackMs: number): number => {
  const deadline = deadlines.getStore();
  return deadline === undefined ? fallbackMs : Math.max(0, deadline - performance.now());
};

/**
 * Aborts with one of the signals or after a time. Inside `AbortSignal.any`, Node.js 20 may collect a signal of
 * `AbortSignal.timeout` as garbage, and it never aborts.
 */
export const signalWithin = (milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal => {
  const over = new AbortController();
  setTimeout(() => over.abort(), milliseconds).unref();
  return AbortSignal.any([...signals, over.signal]);
};

/** Whether the promise settles within this time. Rejects if it rejects first. */
export const settlesWithin = async (event: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  const over = new AbortController();
  const late = sleep(milliseconds, false, { signal: over.signal }).catch(() => false);
  return Promise.race([event.then(() => true), late]).finally(() => over.abort());
};
