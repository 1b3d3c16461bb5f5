import * as t from 'io-ts';
import { fields, integer, nullable, oneOf, optional, text } from '../../../domain/kernel/codecs';
import { Timestamp } from '../../http/kit';

const anyText = nullable(text({ min: 0, max: 100_000 }));
const count = integer(0);

/** A pod's report of its status. */
export const StatusReportBody = fields({
  status: oneOf('starting', 'running', 'stopping', 'failed'),
  pod_ip: optional(anyText),
  instance_url: optional(anyText),
  /** Reported by a running pod: the time from its first report to this one. */
  loading_seconds: optional(t.number),
  graph_stats: optional(nullable(fields({ node_count: count, edge_count: count }))),
  error_code: optional(anyText),
  error_message: optional(anyText),
  failed_phase: optional(anyText),
  stack_trace: optional(anyText),
});
export type StatusReportBody = t.TypeOf<typeof StatusReportBody>;

/** A pod's report of its memory, CPU, disk and queries. */
export const MetricsReport = fields({
  memory_usage_bytes: optional(count),
  /** Average since the last report. */
  cpu_usage_cores: optional(t.number),
  disk_usage_bytes: optional(count),
  last_activity_at: optional(nullable(Timestamp)),
  query_count_since_last: optional(count),
  avg_query_time_ms: optional(nullable(t.number)),
});
export type MetricsReport = t.TypeOf<typeof MetricsReport>;

/** Progress of one definition of the mapping while a pod loads it. */
const ProgressStep = fields({
  name: text({ min: 1, max: 255 }),
  status: oneOf('completed', 'in_progress', 'pending'),
  type: optional(oneOf('node', 'edge')),
  row_count: optional(count),
});
export type ProgressStep = t.TypeOf<typeof ProgressStep>;

/** Progress of a pod's start. */
export const ProgressReport = fields({
  phase: text({ min: 1, max: 100 }),
  steps: t.readonlyArray(ProgressStep),
});

/** The control plane signs its requests to a pod with this key. */
export const RequestKey = t.strict({ request_key: t.string });

/** Whether a user may run algorithms on an instance. */
export const Authorization = t.strict({
  allowed: t.boolean,
  username: t.string,
  role: t.union([t.string, t.null]),
  owner_username: t.string,
});
export type Authorization = t.TypeOf<typeof Authorization>;
