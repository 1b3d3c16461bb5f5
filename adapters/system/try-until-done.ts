import { type Either, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type DomainError, unavailable } from '../../domain/kernel/errors';
import { retry } from './retry';

/** Repeats what must not be lost, because no other caller will ask for it, until it succeeds or the signal aborts. */
export const tryUntilDone = async (
  what: string,
  attempt: () => Promise<Either<DomainError, unknown>>,
  signal: AbortSignal,
  log: Logger,
): Promise<void> => {
  const onFailure = (error: DomainError): boolean => {
    log.error({ err: error }, `${what} failed; trying again`);
    return true;
  };
  const tried = () => attempt().catch((error: unknown) => left(unavailable('The event store', String(error))));
  if (!signal.aborted) await retry(tried, { firstPauseMs: 250, maxPauseMs: 5_000, signal, onFailure });
};
