import { comparePositions, laterPosition, type Position, START } from '../domain/kernel/event';

/** Knows how far the read models are, and lets callers wait until they have passed a position. */
export interface CatchUp {
  readonly position: () => Position;
  readonly advance: (position: Position) => void;
  /** True once the position is passed, false when that takes longer than `timeoutMs`. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
}

export const createCatchUp = (): CatchUp => {
  let current: Position = START;
  const waiters = new Set<{ readonly position: Position; readonly done: () => void }>();
  return {
    position: () => current,
    advance: (position) => {
      current = laterPosition(current, position);
      for (const waiter of waiters) if (comparePositions(waiter.position, current) <= 0) waiter.done();
    },
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
