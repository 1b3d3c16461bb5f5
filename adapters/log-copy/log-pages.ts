import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type AppendError, type EventStore, type ReadError } from '../../domain/ports/event-store';
import { withPatience } from '../system/patience';
import { retry } from '../system/retry';
import { type LoggedEvent } from './log-file-format';

/** Why a log could not be copied, for people: what failed and what to do. */
export interface CopyFailure {
  readonly message: string;
}

/** A log from its first event to its last, some events at a time; a failure is the last thing it gives. */
export type LogPages<E extends LoggedEvent = LoggedEvent> = AsyncGenerator<
  Either<CopyFailure, readonly E[]>,
  void,
  undefined
>;

/** Few enough to hold in memory, whatever is in them. */
const PAGE = 500;

/** What is in a store's log when it is read. `name` says which store in failures. */
export async function* pagesOf(name: string, store: EventStore, patienceMs?: number): LogPages<StoredEvent> {
  let after: Position = START;
  for (;;) {
    const from = after;
    const page = await askPatiently(() => store.readAll(from, PAGE), patienceMs);
    if (isLeft(page)) {
      const { reason } = page.left;
      yield left({
        message: `The log in ${name} could not be read after position ${after}: ${reason}. Run the command again when it answers.`,
      });
      return;
    }
    if (page.right.events.length > 0) yield right(page.right.events);
    if (page.right.position === after) return;
    after = page.right.position;
  }
}

/** How long a copy waits for a store that does not answer: for its restart, and for a new leader. */
const COPY_PATIENCE_MS = 120_000;

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
