/** The seed of `npm test` and `.ci/run`. */
const FIXED_SEED = 1;

/** The seed of everything random in this run. `SEED=7` sets another one; `npm run proof` draws a new one and prints it. */
export const SEED = Number(process.env['SEED'] ?? FIXED_SEED);

/** The seeds of a random test. `found`: seeds that once found a defect; runs with the fixed seed repeat them. */
export const seedsOfRun = (found: readonly number[]): readonly number[] =>
  SEED === FIXED_SEED ? [FIXED_SEED, ...found] : [SEED];
