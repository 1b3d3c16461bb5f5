import * as t from 'io-ts';
import { Duration, fields, integer, nullable, optional } from '../../../../domain/kernel/codecs';
import { InstanceAccess } from '../../../../domain/instance';
import { TakesEffect } from '../../../../domain/ports/pod-runtime';
import { CountedInstance, InstanceEventView } from '../../../../queries/views/instance';
import { data, endpoint, list } from '../../kit';
import { Description, listFields, Name } from '../codecs';
import { Access, oneInstance } from './endpoints';

/** What is changed of an existing instance, what was changed, and whom the limits concern. */
export const instanceChangeEndpoints = {
  getUserInstanceStatus: endpoint({
    method: 'GET',
    path: '/instances/user/status',
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
  updateInstance: endpoint({
    ...oneInstance,
    method: 'PUT',
    summary: 'Change name or description',
    body: fields({ name: optional(Name), description: optional(Description) }),
    success: data(t.strict({ id: t.number, name: t.string, description: t.string, updated_at: t.string })),
    errors: ['PERMISSION_DENIED'],
  }),
  updateInstanceLifecycle: endpoint({
    ...oneInstance,
    method: 'PUT',
    path: '/instances/{id}/lifecycle',
    summary: 'Change the lifetime of an instance; null resets to the default',
    body: fields({ ttl: optional(nullable(Duration)), inactivity_timeout: optional(nullable(Duration)) }),
    success: data(
      t.strict({ id: t.number, ttl: nullable(t.string), inactivity_timeout: t.string, updated_at: t.string }),
    ),
    errors: ['PERMISSION_DENIED'],
  }),
  updateInstanceCpu: endpoint({
    ...oneInstance,
    method: 'PUT',
    path: '/instances/{id}/cpu',
    summary: 'Change the number of cores of a running instance, and when that takes effect',
    body: fields({ cpu_cores: integer(1, 8) }),
    success: data(t.strict({ id: t.number, cpu_cores: t.number, takes_effect: TakesEffect, updated_at: t.string })),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE', 'RESOURCE_LOCKED'],
  }),
  updateInstanceMemory: endpoint({
    ...oneInstance,
    method: 'PUT',
    path: '/instances/{id}/memory',
    summary: 'Give a running instance more memory, and when that takes effect; it never gets less',
    body: fields({ memory_gb: integer(2, 32) }),
    success: data(t.strict({ id: t.number, memory_gb: t.number, takes_effect: TakesEffect, updated_at: t.string })),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE', 'RESOURCE_LOCKED'],
  }),
  updateInstanceAccess: endpoint({
    ...oneInstance,
    method: 'PUT',
    path: '/instances/{id}/access',
    summary: 'Set who may access the instance; only they, admins and ops can see it',
    body: Access,
    success: data(t.strict({ id: t.number, access: InstanceAccess, updated_at: t.string })),
    errors: ['PERMISSION_DENIED'],
  }),
  listInstanceEvents: endpoint({
    ...oneInstance,
    method: 'GET',
    path: '/instances/{id}/events',
    summary: 'Changes of the resources of an instance, newest first',
    query: fields(listFields('created_at', 'event_type')),
    success: list(InstanceEventView),
  }),
};
