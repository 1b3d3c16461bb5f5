import { createRandom } from '../../pod/graph/algorithms/graph/random';

/**
 * The faults of a call that leaves a process:
 * - `crash_before`, `crash_after`: the calling process is killed before the call takes effect, or before it receives
 * the answer;
 * - `refused`: the call has no effect and the caller gets an error (429, 500, connection refused);
 * - `answer_lost`: it takes effect, and the caller gets a failure (a time-out that succeeded);
 * - `repeated`: it takes effect twice (a network that delivers again);
 * - `slow`: it takes effect up to a minute later, after calls of others.
 */
export type Fault = (typeof FAULTS)[number];
export const FAULTS = ['crash_before', 'crash_after', 'refused', 'answer_lost', 'repeated', 'slow'] as const;

/** Decides the fault of each call, in order; null: none. */
export interface FaultPlan {
  next(call: string): Fault | null;
  /** A number from 0 to 1 for all other random choices. */
  chance(): number;
}

/** No faults; `calls` lists every call. */
export const noFaults = (): FaultPlan & { readonly calls: readonly string[] } => {
  const calls: string[] = [];
  const chance = createRandom(1);
  return {
    calls,
    chance,
    next: (call) => {
      calls.push(call);
      return null;
    },
  };
};

/** Exactly one fault, at the call with this number. */
export const oneFault = (at: number, fault: Fault): FaultPlan => {
  let number = -1;
  return {
    chance: createRandom(1),
    next: () => {
      number += 1;
      return number === at ? fault : null;
    },
  };
};

/** Shares of calls that fail. */
const RATES = [0, 0.03, 0.15, 0.5];

/** Random faults, in phases with different shares of failed calls. */
export const manyFaults = (seed: number): FaultPlan & { stop(): void } => {
  const chance = createRandom(seed);
  let rate = 0;
  let stopped = false;
  return {
    chance,
    stop: () => {
      stopped = true;
    },
    next: () => {
      if (stopped) return null;
      if (chance() < 0.02) rate = RATES[Math.floor(chance() * RATES.length)] ?? 0;
      return chance() < rate ? (FAULTS[Math.floor(chance() * FAULTS.length)] ?? null) : null;
    },
  };
};
