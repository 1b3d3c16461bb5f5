import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as the condition holds, and fails with its description when it does not hold in time. */
export const waitFor = async (
  description: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain: ${description}`);
    await sleep(5);
  }
};
