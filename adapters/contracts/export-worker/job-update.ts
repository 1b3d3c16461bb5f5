import * as t from 'io-ts';
import { fields, integer, nullable, oneOf, optional, text } from '../../../domain/kernel/codecs';
import { Timestamp } from '../../http/kit';

const shortText = text({ min: 1, max: 1000 });

/** A worker's report on a job. */
export const JobUpdate = fields({
  attempt: optional(integer(0)),
  status: optional(oneOf('submitted', 'running', 'completed', 'failed', 'pending')),
  queryengine_query_id: optional(nullable(shortText)),
  next_uri: optional(nullable(text({ min: 1, max: 4000 }))),
  next_poll_at: optional(Timestamp),
  owned_by_worker: optional(t.boolean),
  poll_count: optional(integer(0, 1_000_000)),
  submitted_at: optional(Timestamp),
  row_count: optional(nullable(integer(0))),
  size_bytes: optional(nullable(integer(0))),
  completed_at: optional(Timestamp),
  error_message: optional(nullable(text({ min: 0, max: 20_000 }))),
  /** `STARTUP_FAILED`: a fault of the machine, such as a full disk; otherwise `DATA_LOAD_ERROR`. */
  error_code: optional(oneOf('DATA_LOAD_ERROR', 'STARTUP_FAILED')),
  can_retry: optional(t.boolean),
});
export type JobUpdate = t.TypeOf<typeof JobUpdate>;
