import { type DomainError, domainError, unavailable } from '../kernel/errors';
import { type BrokenStream, type ReadError } from './event-store';

/** The error for a stream with missing events, which must not be folded. */
export const streamIsBroken = ({ streamId, reason }: BrokenStream): DomainError<'INTERNAL_ERROR'> =>
  domainError(
    'INTERNAL_ERROR',
    `The event store has lost events of ${streamId}: ${reason}. Nothing was changed; see docs/operations/runbooks/event-store.md.`,
  );

/** The error of a failed read of the log. */
export const readFailed = (error: ReadError): DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'> =>
  error.kind === 'broken_stream' ? streamIsBroken(error) : unavailable('The event store', error.reason);
