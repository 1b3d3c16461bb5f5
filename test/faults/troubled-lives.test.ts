import { chosenSeeds, tellStories } from './simulation/stories';

describe('two replicas, two workers and all pods in trouble', () => {
  const seeds = chosenSeeds();

  it(`keep every promise once the trouble is over (seeds ${seeds[0]} to ${seeds.at(-1)})`, async () => {
    process.stderr.write(`troubled lives: seeds ${seeds[0]} to ${seeds.at(-1)}; SEED=<number> repeats one\n`);
    expect(await tellStories(seeds)).toEqual([]);
  }, 600_000);
});
