import * as t from 'io-ts';
import { fields, type FieldsOf, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { ParkedEventView } from '../../../../queries/views/parked-event';
import { data, endpoint, list } from '../../kit';
import { listFields } from '../codecs';
import { forOps } from '../ops/endpoints';

const Reader = text({ min: 1, max: 255 });
const StreamId = text({ min: 1, max: 1000 });
const order = { reader: Reader, stream_id: StreamId, reason: text({ min: 1, max: 500, notBlank: true }) };
export type RetryOrder = FieldsOf<typeof order>;
const outcome = {
  reader: t.string,
  stream_id: t.string,
  /** Number of parked events that were applied. */
  applied: t.number,
  /** Number of events of the stream that are still parked, and why the first one could not be applied. */
  remaining: t.number,
  error: nullable(t.string),
};

export const parkedEventEndpoints = {
  listParkedEvents: endpoint({
    ...forOps,
    method: 'GET',
    path: '/ops/parked-events',
    summary:
      'List the events that a read model or the processes could not apply, and the later ones of the same streams',
    query: fields({
      ...listFields('parked_at', 'reader', 'stream_id', 'event_type', 'attempts'),
      reader: optional(Reader),
      stream_id: optional(StreamId),
    }),
    success: list(ParkedEventView),
  }),
  retryParkedEvents: endpoint({
    ...forOps,
    method: 'POST',
    path: '/ops/parked-events/retry',
    summary: 'Apply the parked events of a stream, in order, until one fails again',
    takesLong: true,
    body: fields(order),
    success: data(t.strict(outcome)),
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  skipParkedEvent: endpoint({
    ...forOps,
    method: 'POST',
    path: '/ops/parked-events/skip',
    summary: 'Skip the first parked event of a stream, then apply the later ones',
    takesLong: true,
    body: fields({ ...order, position: text({ min: 1, max: 19 }) }),
    success: data(t.strict({ ...outcome, skipped_position: t.string })),
    errors: ['RESOURCE_NOT_FOUND', 'INVALID_STATE'],
  }),
};
