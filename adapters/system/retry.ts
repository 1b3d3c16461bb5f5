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
  /** Milliseconds since 1970, as the signal; default: never. */
  readonly until?: number;
  /** Called with each failure; false ends the retries. Default: every failure is retried. */
  readonly onFailure?: (failure: E) => boolean;
}

/** Repeats an attempt with exponential backoff until it succeeds or the retries end; answers how the last one went. */
export const retry = async <E, A>(
  attempt: () => Promise<Either<E, A>>,
  options: RetryOptions<E>,
): Promise<Either<E, A>> => {
  const first = await attempt();
  return isLeft(first) && isWorthAnother(first.left, options) ? repeat(first, attempt, options) : first;
};

const isOver = ({ signal, until = Infinity }: RetryOptions<never>): boolean =>
  signal?.aborted === true || Date.now() >= until;

const isWorthAnother = <E>(failure: E, options: RetryOptions<E>): boolean =>
  !isOver(options) && (options.onFailure?.(failure) ?? true);

/** Pauses before the first attempt. */
const repeat = <E, A>(
  failed: Left<E>,
  attempt: () => Promise<Either<E, A>>,
  options: RetryOptions<E>,
): Promise<Either<E, A>> =>
  new Promise((resolve, reject) => {
    const { firstPauseMs, maxPauseMs, jitter = 'none', signal, until } = options;
    let pausedAfter: Left<E> | null = failed;
    const endPause = (): void => {
      if (pausedAfter !== null) resolve(pausedAfter);
    };
    const attemptOnce = async (): Promise<Either<E, A>> => {
      if (pausedAfter !== null && isOver(options)) return pausedAfter;
      pausedAfter = null;
      const result = await attempt();
      if (!isLeft(result) || !isWorthAnother(result.left, options)) return result;
      pausedAfter = result;
      throw new Error('The library repeats what rejects.');
    };
    signal?.addEventListener('abort', endPause);
    const timer = until === undefined ? undefined : setTimeout(endPause, until - Date.now());
    const pauses = { startingDelay: firstPauseMs, maxDelay: maxPauseMs, jitter, delayFirstAttempt: true };
    backOff(attemptOnce, { ...pauses, numOfAttempts: Infinity })
      .then(resolve, reject)
      .finally(() => {
        signal?.removeEventListener('abort', endPause);
        clearTimeout(timer);
      });
  });
