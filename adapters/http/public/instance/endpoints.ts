import * as t from 'io-ts';
import { AccessMode, InstanceAccess, LiveStatus, type WrapperType } from '../../../../domain/instance';
import { Duration, fields, integer, nullable, optional, ResourceId } from '../../../../domain/kernel/codecs';
import { TakesEffect } from '../../../../domain/ports/pod-runtime';
import {
  CountedInstance,
  InstanceDetailView,
  InstanceEventView,
  InstanceProgress,
  InstanceView,
} from '../../../../queries/views/instance';
import { pick } from '../../../../queries/views/pick';
import { created, data, endpoint, IdParams, list, noContent, queryInteger, Username } from '../../kit';
import { asOfField } from '../as-of/as-of-field';
import { Description, listFields, Name, resourceListFields } from '../codecs';

/** Shared declaration of operations on one instance. */
export const oneInstance = { access: 'user', resource: 'instance', params: IdParams } as const;

/** The access to an instance; `users` applies to the mode `users` only. */
export const Access = fields({ mode: AccessMode, users: optional(t.readonlyArray(Username)) });

/** The kinds of instances, by all names that clients may write. */
export const KINDS = {
  graphdb_a: 'graphdb_a',
  graphdb_b: 'graphdb_b',
  duckdb: 'graphdb_a',
  falkordb: 'graphdb_b',
} as const satisfies Readonly<Record<string, WrapperType>>;

export const instanceEndpoints = {
  listInstances: endpoint('GET /instances', {
    summary: 'List instances',
    access: 'user',
    query: fields({
      ...resourceListFields('name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'),
      snapshot_id: optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
      status: optional(LiveStatus),
    }),
    success: list(InstanceView),
  }),
  createInstance: endpoint('POST /instances', {
    summary: 'Export a mapping and load it into a graph database of its own',
    access: 'user',
    createsResource: true,
    validationDetails: 'map',
    body: fields({
      mapping_id: ResourceId,
      mapping_version: optional(nullable(ResourceId)),
      name: Name,
      description: optional(Description),
      wrapper_type: t.keyof(KINDS),
      ttl: optional(nullable(Duration)),
      inactivity_timeout: optional(nullable(Duration)),
      cpu_cores: optional(integer(1, 8)),
      access: optional(Access),
    }),
    success: created(
      t.strict({
        ...{ id: t.number, snapshot_id: t.null },
        ...pick(InstanceView, 'wrapper_type', 'name', 'status', 'created_at'),
        ...pick(InstanceView, 'ttl', 'inactivity_timeout', 'expires_at'),
      }),
    ),
    errors: ['RESOURCE_NOT_FOUND', 'MAPPING_VERSION_NOT_FOUND', 'CONCURRENCY_LIMIT_EXCEEDED'],
  }),
  getInstance: endpoint('GET /instances/{id}', {
    ...oneInstance,
    summary: 'One instance',
    query: fields(asOfField),
    success: data(InstanceDetailView),
  }),
  getInstanceProgress: endpoint('GET /instances/{id}/progress', {
    ...oneInstance,
    summary: 'Progress of an instance until it runs; with Accept: text/event-stream as a stream of changes',
    success: { status: 200, shape: 'data', body: InstanceProgress, events: InstanceProgress },
  }),
  deleteInstance: endpoint('DELETE /instances/{id}', {
    ...oneInstance,
    summary: 'End an instance: its pod first, then its record',
    success: noContent,
    errors: ['PERMISSION_DENIED'],
  }),
};

/** Operations that change an instance, and list its changes and the users its limits apply to. */
export const instanceChangeEndpoints = {
  getUserInstanceStatus: endpoint('GET /instances/user/status', {
    summary: 'Instances of the caller, and the limits',
    access: 'user',
    success: data(
      t.strict({
        username: t.string,
        active_instances: t.number,
        instance_limit: t.number,
        instances_available: t.number,
        instances: t.readonlyArray(CountedInstance),
      }),
    ),
  }),
  updateInstance: endpoint('PUT /instances/{id}', {
    ...oneInstance,
    summary: 'Change name or description',
    body: fields({ name: optional(Name), description: optional(Description) }),
    success: data(t.strict({ id: t.number, name: t.string, description: t.string, updated_at: t.string })),
    errors: ['PERMISSION_DENIED'],
  }),
  updateInstanceLifecycle: endpoint('PUT /instances/{id}/lifecycle', {
    ...oneInstance,
    summary: 'Change the lifetime of an instance; null resets to the default',
    body: fields({ ttl: optional(nullable(Duration)), inactivity_timeout: optional(nullable(Duration)) }),
    success: data(
      t.strict({ id: t.number, ttl: nullable(t.string), inactivity_timeout: t.string, updated_at: t.string }),
    ),
    errors: ['PERMISSION_DENIED'],
  }),
  updateInstanceCpu: endpoint('PUT /instances/{id}/cpu', {
    ...oneInstance,
    summary: 'Change the number of cores of a running instance; the answer says when that takes effect',
    body: fields({ cpu_cores: integer(1, 8) }),
    success: data(t.strict({ id: t.number, cpu_cores: t.number, takes_effect: TakesEffect, updated_at: t.string })),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE', 'RESOURCE_LOCKED'],
  }),
  updateInstanceMemory: endpoint('PUT /instances/{id}/memory', {
    ...oneInstance,
    summary: 'Increase the memory of a running instance; the answer says when that takes effect',
    body: fields({ memory_gb: integer(2, 32) }),
    success: data(t.strict({ id: t.number, memory_gb: t.number, takes_effect: TakesEffect, updated_at: t.string })),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE', 'RESOURCE_LOCKED'],
  }),
  updateInstanceAccess: endpoint('PUT /instances/{id}/access', {
    ...oneInstance,
    summary: 'Set who may access the instance; only they, admins and ops can see it',
    body: Access,
    success: data(t.strict({ id: t.number, access: InstanceAccess, updated_at: t.string })),
    errors: ['PERMISSION_DENIED'],
  }),
  listInstanceEvents: endpoint('GET /instances/{id}/events', {
    ...oneInstance,
    summary: 'Changes of the resources of an instance, newest first',
    query: fields(listFields('created_at', 'event_type')),
    success: list(InstanceEventView),
  }),
};
