import { left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';
import { type Position } from './kernel/event';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

const order = {
  /** A projection, or `processes`. */
  reader: t.string,
  /** The stream whose events are held back. */
  streamId: t.string,
  /** The position of the first parked event of the stream. */
  position: t.string,
  eventType: t.string,
  reason: t.string,
};

/** Decisions of ops about parked events, one stream per reader. The remaining parked events show the result. */
export const parkedEventsEvents = {
  ParkedEventsRetryOrdered: eventSpec(t.strict(order)),
  /** The reader does not apply this event, unless its read model is rebuilt. */
  ParkedEventSkipOrdered: eventSpec(t.strict(order)),
};

export type ParkedEventsEvent = EventsOf<typeof parkedEventsEvents>;

export interface ParkedEventsCommand {
  readonly type: 'RetryParkedEvents' | 'SkipParkedEvent';
  readonly reader: string;
  readonly streamId: string;
  /** The first parked event of the stream, null when there is none. */
  readonly first: { readonly position: Position; readonly eventType: string } | null;
  /** The position of the event to skip; null: the first one. Only for a skip. */
  readonly expected: string | null;
  readonly reason: string;
}

export const parkedEventsStream = (reader: string): string => `parked_events-${reader}`;

const nothingParked = ({ reader, streamId }: ParkedEventsCommand) =>
  domainError(
    'RESOURCE_NOT_FOUND',
    `Nothing of stream ${streamId} is parked for ${reader}. List the parked events with GET /api/ops/parked-events.`,
    { reader, stream_id: streamId },
  );

/** Records the actor, action and reason; the parked events themselves are not in this stream. */
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
