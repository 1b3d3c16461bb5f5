import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

export const ParkedEventView = t.strict({
  reader: t.string,
  stream_id: t.string,
  position: t.string,
  /** The event's own stream, and its revision there. */
  event_stream_id: t.string,
  event_revision: t.number,
  event_type: t.string,
  /** Why it could not be applied; null: it waits for an earlier event of the stream. */
  error: nullable(t.string),
  attempts: t.number,
  parked_at: t.string,
  last_failed_at: nullable(t.string),
});
export type ParkedEventView = t.TypeOf<typeof ParkedEventView>;
