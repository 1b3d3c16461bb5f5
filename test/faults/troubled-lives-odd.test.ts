import { seedsOf, tellStories } from './simulation/stories';

describe('two replicas, two workers and all pods in trouble', () => {
  it('keep every promise once the trouble is over (odd seeds)', async () => {
    expect(await tellStories(seedsOf(1))).toEqual([]);
  }, 600_000);
});
