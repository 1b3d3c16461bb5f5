import * as t from 'io-ts';
import { Duration, fields, integer, nullable, optional, ResourceId } from '../../../../domain/kernel/codecs';
import { AccessMode, LiveStatus, WrapperType } from '../../../../domain/instance';
import { InstanceDetailView, InstanceProgress, InstanceView } from '../../../../queries/views/instance';
import { created, data, endpoint, IdParams, list, noContent, queryInteger, Username } from '../../kit';
import { Description, Name, resourceListFields } from '../codecs';

/** What operations on one instance have in common. */
export const oneInstance = { path: '/instances/{id}', access: 'user', resource: 'instance', params: IdParams } as const;

/** Who gets in; `users` counts with the mode `users` alone. */
export const Access = fields({ mode: AccessMode, users: optional(t.readonlyArray(Username)) });

export const instanceEndpoints = {
  listInstances: endpoint({
    method: 'GET',
    path: '/instances',
    summary: 'List instances',
    access: 'user',
    query: fields({
      ...resourceListFields('name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'),
      snapshot_id: optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
      status: optional(LiveStatus),
    }),
    success: list(InstanceView),
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
      access: optional(Access),
    }),
    success: created(
      t.strict({
        id: t.number,
        snapshot_id: t.null,
        wrapper_type: WrapperType,
        name: t.string,
        status: LiveStatus,
        created_at: t.string,
        ttl: nullable(t.string),
        inactivity_timeout: t.string,
        expires_at: nullable(t.string),
      }),
    ),
    errors: ['RESOURCE_NOT_FOUND', 'MAPPING_VERSION_NOT_FOUND', 'CONCURRENCY_LIMIT_EXCEEDED'],
  }),
  getInstance: endpoint({
    ...oneInstance,
    method: 'GET',
    summary: 'One instance',
    success: data(InstanceDetailView),
  }),
  getInstanceProgress: endpoint({
    ...oneInstance,
    method: 'GET',
    path: '/instances/{id}/progress',
    summary: 'Progress of an instance until it runs; with Accept: text/event-stream as a stream of changes',
    success: { status: 200, shape: 'data', body: InstanceProgress, events: InstanceProgress },
  }),
  deleteInstance: endpoint({
    ...oneInstance,
    method: 'DELETE',
    summary: 'End an instance: its pod first, then its record',
    success: noContent,
    errors: ['PERMISSION_DENIED'],
  }),
};
