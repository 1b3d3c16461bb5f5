import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a request and the stores it calls may take, unless the operator says otherwise. */
export const DEFAULT_PATIENCE_MS = 8_000;

const deadlines = new AsyncLocalStorage<number>();

/** Runs a work with a time limit in milliseconds; the functions that it calls ask `remainingPatience`. */
export const withPatience = <A>(ms: number, work: () => A): A => deadlines.run(performance.now() + ms, work);

/** How many milliseconds are left of the work under way, never below 0; `fallbackMs` outside of any. */
export const remainingPatience = (fallbackMs: number): number => {
  const deadline = deadlines.getStore();
  return deadline === undefined ? fallbackMs : Math.max(0, deadline - performance.now());
};

/** Whether an event happens within this time. Rejects if the event does so first. */
export const isDoneWithin = async (event: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  const over = new AbortController();
  const late = sleep(milliseconds, false, { signal: over.signal }).catch(() => false);
  return Promise.race([event.then(() => true), late]).finally(() => over.abort());
};
