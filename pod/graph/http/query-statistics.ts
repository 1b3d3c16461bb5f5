/** Counts queries for the metrics, and knows how many are running. */
export interface QueryStatistics {
  /** A query begins; call the result when it has ended, with the time it took. */
  readonly begin: () => (durationMs: number) => void;
  readonly running: () => number;
  readonly lastActivityAt: () => Date;
  /** An algorithm was used. */
  readonly touch: () => void;
  /** What happened since the last call. */
  readonly take: () => { readonly count: number; readonly averageMs: number };
}

export const createQueryStatistics = (now: () => Date, onActivity: () => void): QueryStatistics => {
  let running = 0;
  let count = 0;
  let totalMs = 0;
  let lastActivityAt = now();

  const touch = (): void => {
    lastActivityAt = now();
    onActivity();
  };

  return {
    begin: () => {
      running++;
      touch();
      return (durationMs) => {
        running--;
        count++;
        totalMs += durationMs;
        touch();
      };
    },
    running: () => running,
    lastActivityAt: () => lastActivityAt,
    touch,
    take: () => {
      const taken = { count, averageMs: count === 0 ? 0 : totalMs / count };
      count = 0;
      totalMs = 0;
      return taken;
    },
  };
};
