import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { remainingTimeMs, signalWithin, withTimeLimit } from '../../../adapters/system/time-limit';

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

describe('a signal with a time limit', () => {
  it('aborts after that time, although garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const signal = signalWithin(100, new AbortController().signal);
    const collect = runInNewContext('gc') as () => void;
    const isAlive = setInterval(collect, 10);

    await once(signal, 'abort');
    clearInterval(isAlive);
    expect(signal.aborted).toBe(true);
  });

  it('aborts at once with a given signal', () => {
    const stop = new AbortController();
    const signal = signalWithin(60_000, stop.signal);

    stop.abort();
    expect(signal.aborted).toBe(true);
  });
});
