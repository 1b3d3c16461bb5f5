import { type Either, isLeft } from 'fp-ts/Either';

export interface RetryOptions<E> {
  /** The first pause; each pause is twice the previous one. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** `full`: each pause is a random part of that, to spread concurrent retries. Default: `none`. */
  readonly jitter?: 'none' | 'full';
  /** Stops the retries and the current pause; a running attempt completes. */
  readonly signal?: AbortSignal;
  /** Deadline in milliseconds since 1970, with the effect of the signal; default: none. */
  readonly until?: number;
  /** Called with each failure; false ends the retries. Default: every failure is retried. */
  readonly onFailure?: (failure: E) => boolean;
}

/** Repeats an attempt with exponential backoff until it succeeds or the retries end; returns the last result. */
export const retry = async <E, A>(
  attempt: () => Promise<Either<E, A>>,
  { firstPauseMs, maxPauseMs, jitter = 'none', signal, until = Infinity, onFailure }: RetryOptions<E>,
): Promise<Either<E, A>> => {
  const isOver = (): boolean => signal?.aborted === true || Date.now() >= until;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const result = await attempt();
    if (!isLeft(result) || isOver() || onFailure?.(result.left) === false) return result;
    const wantedMs = jitter === 'full' ? Math.random() * pauseMs : pauseMs;
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
