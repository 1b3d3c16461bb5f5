import * as t from 'io-ts';
import { fields, integer, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { InstanceMapping } from '../../../contracts/graph-pod/instance-mapping';
import { data, endpoint, IdParams, noContent, Timestamp } from '../../kit';

const Updated = { status: 200, shape: 'data', body: t.strict({ updated: t.literal(true) }) } as const;
const anyText = nullable(text({ min: 0, max: 100_000 }));
const count = integer(0);

/** What a pod says it has become. */
export const StatusReportBody = fields({
  status: t.keyof({ starting: null, running: null, stopping: null, failed: null }),
  pod_ip: optional(anyText),
  instance_url: optional(anyText),
  graph_stats: optional(nullable(fields({ node_count: count, edge_count: count }))),
  error_code: optional(anyText),
  error_message: optional(anyText),
  failed_phase: optional(anyText),
  stack_trace: optional(anyText),
});
export type StatusReportBody = t.TypeOf<typeof StatusReportBody>;

const ofInstance = {
  access: 'wrapper',
  resource: 'instance',
  params: IdParams,
  errors: ['PERMISSION_DENIED'],
} as const;

export const instanceEndpoints = {
  reportInstanceStatus: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/status',
    summary: 'Report the status of a pod',
    body: StatusReportBody,
    success: Updated,
    errors: ['INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  reportInstanceMetrics: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/metrics',
    summary: 'Report memory, disk and queries of a pod',
    body: fields({
      memory_usage_bytes: optional(count),
      disk_usage_bytes: optional(count),
      last_activity_at: optional(nullable(Timestamp)),
      query_count_since_last: optional(count),
      avg_query_time_ms: optional(nullable(t.number)),
    }),
    success: Updated,
  }),
  reportInstanceProgress: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/progress',
    summary: 'Report the start progress of a pod',
    body: fields({
      phase: text({ min: 1, max: 100 }),
      steps: t.readonlyArray(
        fields({
          name: text({ min: 1, max: 255 }),
          status: t.keyof({ completed: null, in_progress: null, pending: null }),
          type: optional(t.keyof({ node: null, edge: null })),
          row_count: optional(count),
        }),
      ),
    }),
    success: Updated,
  }),
  getInstanceMapping: endpoint({
    ...ofInstance,
    method: 'GET',
    path: '/instances/{id}/mapping',
    summary: 'Get the mapping and files that a pod loads',
    success: data(InstanceMapping),
  }),
  reportInstanceActivity: endpoint({
    ...ofInstance,
    method: 'POST',
    path: '/instances/{id}/activity',
    summary: 'Report that the instance was used',
    success: noContent,
  }),
  authorizeCaller: endpoint({
    method: 'GET',
    path: '/instances/{slug}/authorize',
    summary: 'Whether the user in X-Username may run algorithms on the instance',
    access: 'wrapper',
    resource: 'instance',
    params: fields({ slug: text({ min: 1, max: 100 }) }),
    success: data(
      t.strict({
        allowed: t.boolean,
        username: t.string,
        role: t.union([t.string, t.null]),
        owner_username: t.string,
      }),
    ),
    errors: ['UNAUTHORIZED', 'PERMISSION_DENIED'],
  }),
};
