import { FAULTS, noFaults, oneFault } from './faults';
import { oneLife } from './stories';

describe('the life of an instance from its creation to its deletion', () => {
  it('is completed without faults', async () => {
    expect(await oneLife(noFaults())).toEqual([]);
  });

  it('keeps every invariant after any single fault at any step', async () => {
    const calm = noFaults();
    await oneLife(calm);
    // Calls after its end are those of the idle system.
    const ofLife = calm.calls.slice(0, calm.calls.lastIndexOf('append InstanceDeleted') + 5);
    expect(ofLife.length).toBeGreaterThan(60);
    const broken: string[] = [];
    for (const [at, call] of ofLife.entries()) {
      for (const fault of FAULTS) {
        const promises = await oneLife(oneFault(at, fault));
        if (promises.length > 0) broken.push(`${fault} at call ${at} (${call}): ${promises.join('; ')}`);
      }
    }
    expect(broken).toEqual([]);
  }, 240_000);
});
