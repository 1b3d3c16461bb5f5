import { left, right } from 'fp-ts/Either';
import { type Decider } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type Position } from '../kernel/event';
import { type ParkedEventsEvent } from './events';

export interface ParkedEventsCommand {
  readonly type: 'RetryParkedEvents' | 'SkipParkedEvent';
  readonly reader: string;
  readonly streamId: string;
  /** The first parked event of the stream, null when there is none. */
  readonly first: { readonly position: Position; readonly eventType: string } | null;
  /** The position of the event to skip; null: whatever is the first. */
  readonly expected: string | null;
  readonly reason: string;
}

export const parkedEventsStream = (reader: string): string => `parked_events-${reader}`;

/** Keeps who ordered what, and why; it knows nothing of the parked events themselves. */
export const parkedEventOrders: Decider<ParkedEventsCommand, ParkedEventsEvent, null, DomainError> = {
  initial: null,

  decide: ({ type, reader, streamId, first, expected, reason }) => {
    if (first === null) {
      const message = `Nothing of stream ${streamId} is parked for ${reader}. See what is at GET /api/ops/parked-events.`;
      return left(domainError('RESOURCE_NOT_FOUND', message, { reader, stream_id: streamId }));
    }
    if (expected !== null && expected !== first.position) {
      const message = `The first parked event of ${streamId} is at position ${first.position}, not ${expected}. Only the first one can be skipped.`;
      return left(domainError('INVALID_STATE', message, { position: expected, first_position: first.position }));
    }
    const data = { reader, streamId, ...first, reason };
    const event = type === 'SkipParkedEvent' ? 'ParkedEventSkipOrdered' : 'ParkedEventsRetryOrdered';
    return right([{ type: event, data }]);
  },

  evolve: (state) => state,
};
