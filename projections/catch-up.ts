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
  const nextChange = (timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        listeners.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, timeoutMs);
      listeners.add(settle);
    });
  return {
    position: () => current,
    advance: (position) => {
      if (comparePositions(position, current) <= 0) return;
      current = position;
      for (const listener of listeners) listener();
    },
    nextChange,
    waitFor: async (position, timeoutMs) => {
      const deadline = performance.now() + timeoutMs;
      while (comparePositions(position, current) > 0) {
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) return false;
        await nextChange(leftMs);
      }
      return true;
    },
  };
};
