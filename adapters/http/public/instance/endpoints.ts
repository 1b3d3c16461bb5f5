import * as t from 'io-ts';
import { Duration, fields, integer, nullable, optional, ResourceId } from '../../../../domain/kernel/codecs';
import { WrapperType } from '../../../../domain/instance';
import { endpoint, IdParams, queryInteger } from '../../kit';
import { Description, Name, nullableNumber, nullableText, resourceListFields } from '../codecs';
import { InstanceProgress } from './progress-view';

export const InstanceStatus = t.keyof({
  waiting_for_snapshot: null,
  starting: null,
  running: null,
  stopping: null,
  failed: null,
});

const instanceFields = {
  id: t.number,
  snapshot_id: nullableNumber,
  snapshot_name: t.string,
  owner_username: t.string,
  wrapper_type: WrapperType,
  name: t.string,
  description: t.string,
  instance_url: nullableText,
  status: InstanceStatus,
  error_code: nullableText,
  error_message: nullableText,
  created_at: t.string,
  started_at: nullableText,
  last_activity_at: nullableText,
  expires_at: nullableText,
  ttl: nullableText,
  inactivity_timeout: t.string,
  cpu_cores: t.number,
  memory_usage_bytes: nullableNumber,
  disk_usage_bytes: nullableNumber,
};

export const instanceEndpoints = {
  listInstances: endpoint({
    method: 'GET',
    path: '/instances',
    summary: 'List instances',
    access: 'user',
    query: fields({
      ...resourceListFields,
      snapshot_id: optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
      status: optional(InstanceStatus),
      sort_by: optional(
        t.keyof({ name: null, created_at: null, status: null, last_activity_at: null, memory_usage_bytes: null }),
      ),
    }),
    success: { status: 200, shape: 'list', body: t.readonlyArray(t.strict(instanceFields)) },
    errors: [],
  }),
  createInstance: endpoint({
    method: 'POST',
    path: '/instances',
    summary: 'Export a mapping and load it into a graph database of its own',
    access: 'user',
    createsResource: true,
    validationDetails: 'map',
    body: fields({
      mapping_id: ResourceId,
      mapping_version: optional(nullable(ResourceId)),
      name: Name,
      description: optional(Description),
      wrapper_type: WrapperType,
      ttl: optional(nullable(Duration)),
      inactivity_timeout: optional(nullable(Duration)),
      cpu_cores: optional(integer(1, 8)),
    }),
    success: {
      status: 201,
      shape: 'data',
      body: t.strict({
        id: t.number,
        snapshot_id: t.null,
        wrapper_type: WrapperType,
        name: t.string,
        status: InstanceStatus,
        created_at: t.string,
        ttl: nullableText,
        inactivity_timeout: t.string,
        expires_at: nullableText,
      }),
    },
    errors: ['RESOURCE_NOT_FOUND', 'MAPPING_VERSION_NOT_FOUND', 'CONCURRENCY_LIMIT_EXCEEDED'],
  }),
  getInstance: endpoint({
    method: 'GET',
    path: '/instances/{id}',
    summary: 'One instance',
    access: 'user',
    resource: 'instance',
    params: IdParams,
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        ...instanceFields,
        mapping_id: t.number,
        mapping_name: t.string,
        mapping_version: t.number,
        pod_name: nullableText,
        memory_gb: nullableNumber,
        progress: t.union([InstanceProgress, t.null]),
        graph_stats: t.union([t.strict({ node_count: nullableNumber, edge_count: nullableNumber }), t.null]),
        failed_phase: nullableText,
        stack_trace: nullableText,
        updated_at: t.string,
      }),
    },
    errors: [],
  }),
  getInstanceProgress: endpoint({
    method: 'GET',
    path: '/instances/{id}/progress',
    summary: 'How far an instance is on its way to running; as it goes on with Accept: text/event-stream',
    access: 'user',
    resource: 'instance',
    params: IdParams,
    success: { status: 200, shape: 'data', body: InstanceProgress, events: InstanceProgress },
    errors: [],
  }),
  deleteInstance: endpoint({
    method: 'DELETE',
    path: '/instances/{id}',
    summary: 'End an instance: its pod first, then its record',
    access: 'user',
    resource: 'instance',
    params: IdParams,
    success: { status: 204, shape: 'empty', body: t.undefined },
    errors: ['PERMISSION_DENIED'],
  }),
};
