import { type DomainError, domainError, unavailable } from '../kernel/errors';
import { type BrokenStream, type ReadError } from './event-store';

/** A shorter history must not be taken for the whole one. */
export const streamIsBroken = ({ streamId, reason }: BrokenStream): DomainError<'INTERNAL_ERROR'> =>
  domainError(
    'INTERNAL_ERROR',
    `The event store has no longer every event of ${streamId}: ${reason}. Nothing was changed; see docs/operations/runbooks/event-store.md.`,
  );

/** What a failed read of the log means to the caller. */
export const readFailed = (error: ReadError): DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'> =>
  error.kind === 'broken_stream' ? streamIsBroken(error) : unavailable('The event store', error.reason);
