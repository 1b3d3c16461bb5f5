/** A right to run, given back when the work is done. */
export interface Slot {
  readonly waitedMs: number;
  readonly release: () => void;
}

export interface Slots {
  /** A slot as soon as one is free, in the order of asking; null when none was free within the time. */
  readonly take: (maxMs: number) => Promise<Slot | null>;
}

/** A fixed number of slots: how many queries run at once. */
export const createSlots = (count: number): Slots => {
  const waiting: (() => void)[] = [];
  let free = count;

  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };

  return {
    take: async (maxMs) => {
      if (free > 0) {
        free--;
        return { waitedMs: 0, release };
      }
      const askedAt = performance.now();
      return new Promise((resolve) => {
        const granted = (): void => {
          clearTimeout(timer);
          resolve({ waitedMs: performance.now() - askedAt, release });
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(granted), 1);
          resolve(null);
        }, maxMs);
        waiting.push(granted);
      });
    },
  };
};
