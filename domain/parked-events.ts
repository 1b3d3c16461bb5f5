import * as t from 'io-ts';
import { eventSpec, type EventsOf } from './kernel/event-catalogue';
import { left } from 'fp-ts/Either';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';
import { type Position } from './kernel/event';

const order = {
  /** A projection, or `processes`. */
  reader: t.string,
  /** The stream that is held back. */
  streamId: t.string,
  /** Of the first parked event of the stream. */
  position: t.string,
  eventType: t.string,
  reason: t.string,
};

/** What ops decided about parked events, one stream per reader. What comes of it shows in what is still parked. */
export const parkedEventsEvents = {
  ParkedEventsRetryOrdered: eventSpec(t.strict(order)),
  /** The reader never takes this event in, unless its read model is rebuilt. */
  ParkedEventSkipOrdered: eventSpec(t.strict(order)),
};

export type ParkedEventsEvent = EventsOf<typeof parkedEventsEvents>;

export interface ParkedEventsCommand {
  readonly type: 'RetryParkedEvents' | 'SkipParkedEvent';
  readonly reader: string;
  readonly streamId: string;
  /** The first parked event of the stream, null when there is none. */
  readonly first: { readonly position: Position; readonly eventType: string } | null;
  /** The position of the event to skip; null: whatever is the first. Only for a skip. */
  readonly expected: string | null;
  readonly reason: string;
}

export const parkedEventsStream = (reader: string): string => `parked_events-${reader}`;

const nothingParked = ({ reader, streamId }: ParkedEventsCommand) =>
  domainError(
    'RESOURCE_NOT_FOUND',
    `Nothing of stream ${streamId} is parked for ${reader}. See what is at GET /api/ops/parked-events.`,
    { reader, stream_id: streamId },
  );

/** Keeps who ordered what, and why; it knows nothing of the parked events themselves. */
export const parkedEventOrders = deciderOf<ParkedEventsCommand, ParkedEventsEvent, null>()({
  initial: null,

  decide: {
    RetryParkedEvents: (command) => {
      const { reader, streamId, first, reason } = command;
      if (first === null) return left(nothingParked(command));
      return accept([{ type: 'ParkedEventsRetryOrdered', data: { reader, streamId, ...first, reason } }]);
    },

    SkipParkedEvent: (command) => {
      const { reader, streamId, first, expected, reason } = command;
      if (first === null) return left(nothingParked(command));
      if (expected !== null && expected !== first.position) {
        const message = `The first parked event of ${streamId} is at position ${first.position}, not ${expected}. Only the first one can be skipped.`;
        return left(domainError('INVALID_STATE', message, { position: expected, first_position: first.position }));
      }
      return accept([{ type: 'ParkedEventSkipOrdered', data: { reader, streamId, ...first, reason } }]);
    },
  },

  evolve: (state) => state,
});
