import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type LoggedEvent } from '../../domain/kernel/canonical-event';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type AppendError, type EventStore, type ReadError } from '../../domain/ports/event-store';
import { retry } from '../system/retry';
import { withTimeLimit } from '../system/time-limit';

/** The failure of a copy, as text for the user: what failed and the next step. */
export interface CopyFailure {
  readonly message: string;
}

/** A log from its first to its last event, in pages; a failure is the last item. */
export type LogPages<E extends LoggedEvent = LoggedEvent> = AsyncGenerator<
  Either<CopyFailure, readonly E[]>,
  void,
  undefined
>;

/** Few enough to keep in memory, whatever their size. */
const PAGE = 500;

/** The content of a store's log. `name` identifies the store in failures. */
export async function* pagesOf(name: string, store: EventStore, timeoutMs?: number): LogPages<StoredEvent> {
  let after: Position = START;
  for (;;) {
    const from = after;
    const page = await retryWhileUnavailable(() => store.readAll(from, PAGE), timeoutMs);
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

/** Duration of retries during an outage of a store: its restart, or the election of a new leader. */
const COPY_TIMEOUT_MS = 120_000;

/** Calls a store, with retries while it is unavailable; returns the result of the last attempt. */
export const retryWhileUnavailable = <E extends Pick<AppendError | ReadError, 'kind'>, A>(
  call: () => Promise<Either<E, A>>,
  timeoutMs = COPY_TIMEOUT_MS,
): Promise<Either<E, A>> =>
  withTimeLimit(timeoutMs, () =>
    retry(call, {
      pausesMs: [100, 2_000],
      signal: AbortSignal.timeout(timeoutMs),
      onFailure: ({ kind }) => kind === 'unavailable' || kind === 'unknown_outcome',
    }),
  );
