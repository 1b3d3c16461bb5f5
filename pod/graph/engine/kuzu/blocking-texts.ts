import { createRecent } from '../recent';

/**
 * Which statements may keep this process busy until they are done. Handing a short one to another thread and back costs
 * as much as running it; but while one blocks, nobody else is served.
 */
export interface BlockingTexts {
  readonly mayBlock: (text: string) => boolean;
  /** A statement has blocked and took so much processor time; Infinity when it was interrupted. */
  readonly hasBlocked: (text: string, processorMs: number) => void;
  /** Runs a statement that does not block. */
  readonly beside: <A>(text: string, run: () => Promise<A>) => Promise<A>;
}

/** Runs beside others after which a statement is tried, and how long each may have taken, waiting included. */
const RUNS_BEFORE_TRY = 3;
const QUICK_MS = 50;
/** On average. Unlike the time by the clock, it does not grow when the machine is busy with something else. */
const MOST_PROCESSOR_MS = 1;
const RUNS_AFTER_SLOW = 1_000;
/** The last runs count for a sixteenth each, so a stumble of the machine does not. */
const WEIGHT = 1 / 16;

interface Experience {
  /** Quick runs until it may block. */
  readonly missing: number;
  readonly averageMs: number;
}

const UNKNOWN: Experience = { missing: RUNS_BEFORE_TRY, averageMs: 0 };
const SLOW: Experience = { missing: RUNS_AFTER_SLOW, averageMs: 0 };

export const createBlockingTexts = (nowMs: () => number): BlockingTexts => {
  const experiences = createRecent<Experience>();
  /** Statements under way that may take long. One that blocks could wait for the engine's threads, which they have. */
  let long = 0;

  const isQuick = (text: string): boolean => experiences.get(text)?.missing === 0;

  return {
    mayBlock: (text) => long === 0 && isQuick(text),
    hasBlocked: (text, processorMs) => {
      const { averageMs } = experiences.get(text) ?? UNKNOWN;
      const average = averageMs + (processorMs - averageMs) * WEIGHT;
      experiences.set(text, average > MOST_PROCESSOR_MS ? SLOW : { missing: 0, averageMs: average });
    },
    beside: async (text, run) => {
      const mayTakeLong = !isQuick(text);
      if (mayTakeLong) long++;
      const startedMs = nowMs();
      try {
        const result = await run();
        const { missing, averageMs } = experiences.get(text) ?? UNKNOWN;
        const left = nowMs() - startedMs <= QUICK_MS ? Math.max(0, missing - 1) : Math.max(missing, RUNS_BEFORE_TRY);
        experiences.set(text, { missing: left, averageMs });
        return result;
      } finally {
        if (mayTakeLong) long--;
      }
    },
  };
};
