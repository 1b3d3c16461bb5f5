import { type Either, isLeft } from 'fp-ts/Either';

export interface RetryOptions<E> {
  /** The first and the longest pause in milliseconds; each pause is twice the previous one. */
  readonly pausesMs: readonly [first: number, longest: number];
  /** Each pause is a random part of that, to spread concurrent retries. */
  readonly hasJitter?: boolean;
  /** Maximum number of attempts; default: any number. */
  readonly attempts?: number;
  /** Stops the retries and the current pause; a running attempt completes. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline in milliseconds since 1970, with the effect of the signal; default: none. */
  readonly until?: number;
  /** Called with each failure; false ends the retries. Default: every failure is retried. */
  readonly onFailure?: (failure: E) => unknown;
}

/** Repeats an attempt, numbered from 1, until it succeeds or the retries end; returns the last result. */
export const retry = async <E, A>(
  attempt: (number: number) => Promise<Either<E, A>>,
  { pausesMs: [first, longest], hasJitter, attempts = Infinity, signal, until = Infinity, onFailure }: RetryOptions<E>,
): Promise<Either<E, A>> => {
  const isOver = (): boolean => signal?.aborted === true || Date.now() >= until;
  for (let [number, pauseMs] = [1, first]; ; [number, pauseMs] = [number + 1, Math.min(2 * pauseMs, longest)]) {
    const result = await attempt(number);
    if (!isLeft(result) || isOver() || onFailure?.(result.left) === false || number >= attempts) return result;
    const wantedMs = hasJitter === true ? Math.random() * pauseMs : pauseMs;
    const leftMs = until - Date.now();
    await pause(Math.min(wantedMs, leftMs), signal);
    if (wantedMs >= leftMs || isOver()) return result;
  }
};

/** Waits, unless the signal aborts first. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
