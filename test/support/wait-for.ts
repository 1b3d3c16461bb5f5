import { setTimeout as sleep } from 'node:timers/promises';

/** Polling takes processor time from what is waited for: the longer the wait so far, the longer the pause. */
const pauseAfter = (waitedMs: number): number => Math.min(50, 5 + waitedMs / 20);

/** Far longer than anything takes, also on a machine that is five times slower than usual. */
export const TIMEOUT_MS = 180_000;

/** Resolves as soon as the condition holds, and fails with its description when it does not hold in time. */
export const waitFor = async (
  description: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = TIMEOUT_MS,
): Promise<void> => {
  const startedAt = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(`Timed out after ${withinMs} ms waiting for: ${description}`);
    await sleep(pauseAfter(waitedMs));
  }
};
