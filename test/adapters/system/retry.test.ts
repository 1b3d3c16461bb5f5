import { type Either, left, right } from 'fp-ts/Either';
import { retry } from '../../../adapters/system/retry';

const failing = (times: number) => {
  const attempts: number[] = [];
  const attempt = (): Promise<Either<string, number>> => {
    attempts.push(performance.now());
    return Promise.resolve(attempts.length > times ? right(attempts.length) : left(`failure ${attempts.length}`));
  };
  return { attempts, attempt };
};
const PAUSES = { firstPauseMs: 20, maxPauseMs: 50 };

describe('an attempt that is retried', () => {
  it('is repeated after growing pauses until it succeeds', async () => {
    const { attempts, attempt } = failing(3);
    const failures: string[] = [];
    const onFailure = (failure: string) => failures.push(failure) > 0;
    expect(await retry(attempt, { ...PAUSES, onFailure })).toEqual(right(4));
    expect(failures).toEqual(['failure 1', 'failure 2', 'failure 3']);
    expect(attempts.at(-1)! - attempts[0]!).toBeGreaterThanOrEqual(20 + 40 + 50 - 5);
  });

  it('is given up when another one is not worth it', async () => {
    const { attempt } = failing(3);
    expect(await retry(attempt, { ...PAUSES, onFailure: (failure) => failure !== 'failure 2' })).toEqual(
      left('failure 2'),
    );
  });

  it('is given up at once when the signal aborts during a pause', async () => {
    const { attempts, attempt } = failing(9);
    const ending = new AbortController();
    const onFailure = () => (setImmediate(() => ending.abort()), true);
    const startedAt = performance.now();
    const long = { firstPauseMs: 5_000, maxPauseMs: 5_000 };
    expect(await retry(attempt, { ...long, signal: ending.signal, onFailure })).toEqual(left('failure 1'));
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(attempts).toHaveLength(1);
  });

  it('is given up at the end of its time, also during a pause', async () => {
    const { attempts, attempt } = failing(9);
    const startedAt = performance.now();
    const long = { firstPauseMs: 5_000, maxPauseMs: 5_000 };
    expect(await retry(attempt, { ...long, until: Date.now() + 30 })).toEqual(left('failure 1'));
    expect(await retry(attempt, { ...long, until: Date.now() })).toEqual(left('failure 2'));
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(attempts).toHaveLength(2);
  });
});
