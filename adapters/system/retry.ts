import { backOff } from 'exponential-backoff';
import { type Either, isLeft, type Left } from 'fp-ts/Either';

export interface RetryOptions<E> {
  /** The first pause; each is twice as long as the one before. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** `full`: each pause is a random part of that, so that many do not come at once. Default: `none`. */
  readonly jitter?: 'none' | 'full';
  /** Ends the retries, a pause at once; an attempt under way is waited for. */
  readonly signal?: AbortSignal;
  /** Told of each failed attempt; false: it is not worth another one. Default: every one is. */
  readonly onFailure?: (failure: E) => boolean;
}

/** Repeats an attempt with exponential backoff until it succeeds or the retries end; answers how the last one went. */
export const retry = <E, A>(
  attempt: () => Promise<Either<E, A>>,
  { firstPauseMs, maxPauseMs, jitter = 'none', signal, onFailure = () => true }: RetryOptions<E>,
): Promise<Either<E, A>> =>
  new Promise((resolve, reject) => {
    let pausedAfter: Left<E> | null = null;
    const endPause = (): void => {
      if (pausedAfter !== null) resolve(pausedAfter);
    };
    const attemptOnce = async (): Promise<Either<E, A>> => {
      if (pausedAfter !== null && signal?.aborted === true) return pausedAfter;
      pausedAfter = null;
      const result = await attempt();
      if (!isLeft(result) || signal?.aborted === true || !onFailure(result.left)) return result;
      pausedAfter = result;
      throw new Error('The library repeats what rejects.');
    };
    signal?.addEventListener('abort', endPause);
    backOff(attemptOnce, { startingDelay: firstPauseMs, maxDelay: maxPauseMs, jitter, numOfAttempts: Infinity })
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', endPause));
  });
