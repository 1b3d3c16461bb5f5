import { remainingTimeMs, withTimeLimit } from '../../../adapters/system/time-limit';
import { KeyedMutex } from '../../../commands/mapping/change-mapping';

describe('the mutex', () => {
  it('runs the tasks of one key one after the other, each within its own timeout', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const task = (ms: number): Promise<void> =>
      withTimeLimit(ms, () =>
        mutex.runExclusive('a', async () => {
          log.push(`begin ${Math.ceil(remainingTimeMs(-1) / 1_000)}`);
          await Promise.resolve();
          log.push('end');
        }),
      );
    await Promise.all([task(1_000), task(50_000), task(9_000)]);
    expect(log).toEqual(['begin 1', 'end', 'begin 50', 'end', 'begin 9', 'end']);
  });

  it('continues after a task that fails', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.runExclusive('a', () => Promise.reject(new Error('bug')));
    const next = mutex.runExclusive('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('bug');
    expect(await next).toBe('done');
  });
});
