import { setTimeout as sleep } from 'node:timers/promises';

/** Whether an event happens within this time. Rejects if the event does so first. */
export const isDoneWithin = async (event: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  const over = new AbortController();
  const late = sleep(milliseconds, false, { signal: over.signal }).catch(() => false);
  return Promise.race([event.then(() => true), late]).finally(() => over.abort());
};
