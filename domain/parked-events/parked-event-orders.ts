import { left, right } from 'fp-ts/Either';
import { deciderOf } from '../kernel/decider';
import { domainError } from '../kernel/errors';
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

/** Checks and records an order; it knows nothing of the parked events themselves. */
const order = ({ type, reader, streamId, first, expected, reason }: ParkedEventsCommand) => {
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
  return right<never, readonly ParkedEventsEvent[]>([{ type: event, data }]);
};

/** Keeps who ordered what, and why. */
export const parkedEventOrders = deciderOf<ParkedEventsCommand, ParkedEventsEvent, null>()({
  initial: null,
  decide: { RetryParkedEvents: order, SkipParkedEvent: order },
  evolve: (state) => state,
});
