import { comparePositions, type Position, START } from '../domain/kernel/event';

/** The progress of the read models; callers can wait until they have reached a position. */
export interface CatchUp {
  readonly position: () => Position;
  readonly advance: (position: Position) => void;
  /** Changes whenever the read model of this name may have changed. */
  readonly versionOf: (readModel: string) => number;
  readonly change: (readModel: string) => void;
  /** True once the position is reached, false after `timeoutMs`. */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Resolves at the next change of any read model, at the latest after `timeoutMs`. */
  readonly nextChange: (timeoutMs: number) => Promise<void>;
}

export const createCatchUp = (): CatchUp => {
  let current: Position = START;
  const listeners = new Set<() => void>();
  const versions = new Map<string, number>();
  const versionOf = (readModel: string): number => versions.get(readModel) ?? 0;
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
    versionOf,
    change: (readModel) => void versions.set(readModel, versionOf(readModel) + 1),
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
