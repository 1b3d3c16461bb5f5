import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

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
