import { seedsOfLives, simulateLives } from './stories';

describe('two replicas, two workers and all pods with random faults', () => {
  const seeds = seedsOfLives();

  it(
    `keep every invariant after the faults have ended (${seeds.length} seeds from ${seeds[0]})`,
    async () => {
      expect(await simulateLives(seeds)).toEqual([]);
    },
    600_000 + 1_500 * seeds.length,
  );
});
