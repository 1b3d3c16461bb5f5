import { comparePositions, type Position, START } from '../domain/kernel/event';

/** Knows how far the read models are, and lets callers wait until they have passed a position. */
export interface CatchUp {
  readonly position: () => Position;
  readonly advance: (position: Position) => void;
  /** True once the position is passed, false when that takes longer than `timeoutMs`. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Resolves at the next change of any read model, at the latest after `timeoutMs`. */
  readonly nextChange: (timeoutMs: number) => Promise<void>;
}

export const createCatchUp = (): CatchUp => {
  let current: Position = START;
  const listeners = new Set<() => void>();
  const waiters = new Set<{ readonly position: Position; readonly done: () => void }>();
  return {
    position: () => current,
    advance: (position) => {
      if (comparePositions(position, current) <= 0) return;
      current = position;
      for (const listener of listeners) listener();
      for (const waiter of waiters) if (comparePositions(waiter.position, current) <= 0) waiter.done();
    },
    nextChange: (timeoutMs) =>
      new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(timer);
          listeners.delete(settle);
          resolve();
        };
        const timer = setTimeout(settle, timeoutMs);
        listeners.add(settle);
      }),
    waitFor: (position, timeoutMs) =>
      comparePositions(position, current) <= 0
        ? Promise.resolve(true)
        : new Promise((resolve) => {
            const settle = (passed: boolean) => () => {
              clearTimeout(timer);
              waiters.delete(waiter);
              resolve(passed);
            };
            const timer = setTimeout(settle(false), timeoutMs);
            const waiter = { position, done: settle(true) };
            waiters.add(waiter);
          }),
  };
};
