import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type DomainError, unavailable } from '../../domain/kernel/errors';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Repeats what must not be lost, because nobody else will ask for it, until it succeeds or the signal aborts. */
export const tryUntilDone = async (
  what: string,
  attempt: () => Promise<Either<DomainError, unknown>>,
  signal: AbortSignal,
  log: Logger,
): Promise<void> => {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const done = await attempt().catch((error: unknown) => left(unavailable('The event store', String(error))));
    if (!isLeft(done)) return;
    log.error({ err: done.left }, `${what} failed; trying again`);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};
