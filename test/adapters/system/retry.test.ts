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
const PAUSES = { pausesMs: [20, 50] } as const;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a retried attempt', () => {
  it('is repeated after growing delays until it succeeds', async () => {
    const { attempts, attempt } = failing(3);
    const failures: string[] = [];
    const onFailure = (failure: string) => failures.push(failure) > 0;
    const startedAt = performance.now();
    const ended = retry(attempt, { ...PAUSES, onFailure });
    await jest.advanceTimersByTimeAsync(20 + 40 + 50);
    expect(await ended).toEqual(right(4));
    expect(failures).toEqual(['failure 1', 'failure 2', 'failure 3']);
    expect(attempts.map((at) => at - startedAt)).toEqual([0, 20, 20 + 40, 20 + 40 + 50]);
  });

  it('stops when a retry is not worthwhile', async () => {
    const { attempt } = failing(3);
    const ended = retry(attempt, { ...PAUSES, onFailure: (failure) => failure !== 'failure 2' });
    await jest.advanceTimersByTimeAsync(20);
    expect(await ended).toEqual(left('failure 2'));
  });

  it('is repeated at most a number of times, and gets its number', async () => {
    const attempts: number[] = [];
    const ended = retry((number) => Promise.resolve(left(attempts.push(number))), { ...PAUSES, attempts: 2 });
    await jest.advanceTimersByTimeAsync(20);
    expect(await ended).toEqual(left(2));
    expect(attempts).toEqual([1, 2]);
  });

  it('stops at once when the signal aborts during a delay', async () => {
    const { attempts, attempt } = failing(9);
    const ending = new AbortController();
    const onFailure = () => (setTimeout(() => ending.abort(), 1), true);
    const long = { pausesMs: [5_000, 5_000] } as const;
    const ended = retry(attempt, { ...long, signal: ending.signal, onFailure });
    await jest.advanceTimersByTimeAsync(1);
    expect(await ended).toEqual(left('failure 1'));
    expect(attempts).toHaveLength(1);
  });

  it('stops at its deadline, including during a delay', async () => {
    const { attempts, attempt } = failing(9);
    const long = { pausesMs: [5_000, 5_000] } as const;
    const ended = retry(attempt, { ...long, until: Date.now() + 30 });
    await jest.advanceTimersByTimeAsync(30);
    expect(await ended).toEqual(left('failure 1'));
    expect(await retry(attempt, { ...long, until: Date.now() })).toEqual(left('failure 2'));
    expect(attempts).toHaveLength(2);
  });
});
