import { setImmediate as nextTurn } from 'node:timers/promises';
import { remainingTimeMs, withTimeLimit } from '../../../adapters/system/time-limit';

const untilOver = async (): Promise<void> => {
  while (remainingTimeMs(1) > 0) await nextTurn();
};

describe('the remaining time of a task', () => {
  it('is the default outside any task', () => {
    expect(remainingTimeMs(5_000)).toBe(5_000);
  });

  it('shrinks while the task runs, and never falls below zero', async () => {
    await withTimeLimit(20, async () => {
      expect(remainingTimeMs(5_000)).toBeLessThanOrEqual(20);
      await untilOver();
      expect(remainingTimeMs(5_000)).toBe(0);
    });
    expect(remainingTimeMs(5_000)).toBe(5_000);
  });

  it('is separate for two concurrent tasks', async () => {
    const left = async (ms: number): Promise<number> =>
      withTimeLimit(ms, async () => {
        await nextTurn();
        return remainingTimeMs(0);
      });

    const [short, long] = await Promise.all([left(1_000), left(100_000)]);
    expect(short).toBeLessThanOrEqual(1_000);
    expect(long).toBeGreaterThan(90_000);
  });
});
