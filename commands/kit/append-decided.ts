import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError, invalidField, unavailable } from '../../domain/kernel/errors';
import { type NewEvent, type Position, START } from '../../domain/kernel/event';
import { type AppendError, streamIsBroken } from '../../domain/ports/event-store';
import { type CommandPorts } from './command-context';

/** Maximum consecutive conflicts; more of them indicate an error in the stream. */
const MAX_CONFLICTS = 50;

/** Events to append after `revision` of a stream, and the result for the caller. Without events nothing is appended. */
export interface Attempt<A> {
  /** -1 for an empty stream. */
  readonly revision: number;
  readonly events: readonly NewEvent[];
  /** `position`: of the last new event, START without events. */
  readonly result: (position: Position) => A;
}

/** The optimistic loop of the write side: appends the events of `decide`, and decides again after each conflict. */
export const appendDecided = async <A, F extends DomainError>(
  { store, afterLostRace }: CommandPorts,
  streamId: string,
  decide: (conflicts: number) => Promise<Either<F, Attempt<A>>>,
): Promise<Either<F | AppendFailure, A>> => {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const decided = await decide(conflicts);
    if (isLeft(decided)) return decided;
    const { revision, events, result } = decided.right;
    if (events.length === 0) return right(result(START));
    const appended = await store.append(streamId, revision < 0 ? 'no_stream' : revision, events);
    if (!isLeft(appended)) return right(result(appended.right.position));
    if (appended.left.kind !== 'wrong_expected_revision') return left(appendFailed(appended.left, events));
    await afterLostRace?.(conflicts + 1);
  }
  const message = `${streamId} changed ${MAX_CONFLICTS} times during one command. Nothing was written; try again.`;
  return left(domainError('CONFLICT', message));
};

/** Errors of an append. */
export type AppendFailure = DomainError<
  'CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'VALIDATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'
>;

/** The error of a failed append. */
const appendFailed = (
  error: Exclude<AppendError, { kind: 'wrong_expected_revision' }>,
  events: readonly NewEvent[],
): AppendFailure => {
  switch (error.kind) {
    case 'too_large': {
      const field = largestField(events);
      const message = `The change of ${error.streamId} has ${error.bytes} bytes; the maximum is ${error.maxBytes}. Shorten it${field === null ? '' : `, mainly the field ${field}`}.`;
      return domainError('PAYLOAD_TOO_LARGE', message, { max_bytes: error.maxBytes, ...(field !== null && { field }) });
    }
    case 'invalid_text':
      return invalidField(requestField(error.field), 'must not contain the character U+0000 or half a surrogate pair');
    case 'broken_stream':
      return streamIsBroken(error);
    case 'unknown_outcome': {
      const message = `The event store did not answer while writing to ${error.streamId} (${error.reason}). The change may or may not be stored; send the same request again, or read the resource.`;
      return domainError('SERVICE_UNAVAILABLE', message);
    }
    case 'unavailable':
      return unavailable('The event store', error.reason);
  }
};

/** Converts a path in an event, such as `data.nodeDefinitions[0].sql`, to a request field: `node_definitions.0.sql`. */
const requestField = (path: string): string =>
  path
    .replace(/^data\./, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The largest field of the events; null when their data has none. */
export const largestField = (events: readonly NewEvent[]): string | null => {
  const fields = events.flatMap(({ data }) => (typeof data === 'object' && data !== null ? Object.entries(data) : []));
  const sized = fields.map(([name, value]) => ({ name, size: JSON.stringify([value]).length }));
  const [largest] = sized.toSorted((a, b) => b.size - a.size);
  return largest === undefined ? null : requestField(largest.name);
};
