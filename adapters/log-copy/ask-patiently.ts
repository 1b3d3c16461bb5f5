import { type Either } from 'fp-ts/Either';
import { type AppendError, type ReadError } from '../../domain/ports/event-store';
import { withPatience } from '../system/patience';
import { retry } from '../system/retry';

/** How long a copy waits for a store that does not answer: for its restart, and for a new leader. */
export const COPY_PATIENCE_MS = 120_000;

const PAUSES = { firstPauseMs: 100, maxPauseMs: 2_000 };

/** Asks a store, and again while it does not answer; answers how the last try went. */
export const askPatiently = <E extends Pick<AppendError | ReadError, 'kind'>, A>(
  ask: () => Promise<Either<E, A>>,
  patienceMs = COPY_PATIENCE_MS,
): Promise<Either<E, A>> =>
  withPatience(patienceMs, () =>
    retry(ask, {
      ...PAUSES,
      signal: AbortSignal.timeout(patienceMs),
      onFailure: ({ kind }) => kind === 'unavailable' || kind === 'unknown_outcome',
    }),
  );
