import * as t from 'io-ts';
import { Duration, fields, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { MappingDetailView, MappingListView } from '../../../../queries/views/mapping';
import { created, data, endpoint, IdParams, list } from '../../kit';
import { Description, Name, resourceListFields } from '../codecs';
import { CreatedMapping, EdgeDefinitionBodies, NodeDefinitionBodies } from './codecs';

const MAPPING_BODY_BYTES = 8 * 1024 * 1024;

const oneMapping = { path: '/mappings/{id}', access: 'user', resource: 'mapping', params: IdParams } as const;

export const mappingEndpoints = {
  listMappings: endpoint({
    method: 'GET',
    path: '/mappings',
    summary: 'List mappings',
    access: 'user',
    query: fields(resourceListFields('name', 'created_at', 'current_version')),
    success: list(MappingListView),
  }),
  createMapping: endpoint({
    method: 'POST',
    path: '/mappings',
    summary: 'Create a mapping with its version 1',
    access: 'user',
    createsResource: true,
    maxBodyBytes: MAPPING_BODY_BYTES,
    body: fields({
      name: Name,
      description: optional(Description),
      node_definitions: NodeDefinitionBodies,
      edge_definitions: optional(EdgeDefinitionBodies),
      ttl: optional(nullable(Duration)),
      inactivity_timeout: optional(nullable(Duration)),
    }),
    success: created(CreatedMapping),
  }),
  getMapping: endpoint({
    ...oneMapping,
    method: 'GET',
    summary: 'One mapping with its current version',
    success: data(MappingDetailView),
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  updateMapping: endpoint({
    ...oneMapping,
    method: 'PUT',
    summary: 'Change name and description, or give the definitions a new version',
    maxBodyBytes: MAPPING_BODY_BYTES,
    body: fields({
      name: optional(Name),
      description: optional(Description),
      change_description: optional(nullable(text({ min: 1, max: 1000 }))),
      node_definitions: optional(NodeDefinitionBodies),
      edge_definitions: optional(EdgeDefinitionBodies),
    }),
    success: data(t.strict({ id: t.number, current_version: t.number, updated_at: t.string })),
    errors: ['RESOURCE_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  deleteMapping: endpoint({
    ...oneMapping,
    method: 'DELETE',
    summary: 'Delete a mapping that has no snapshots',
    success: data(t.strict({ deleted: t.literal(true) })),
    errors: ['RESOURCE_NOT_FOUND', 'PERMISSION_DENIED', 'RESOURCE_HAS_DEPENDENCIES'],
  }),
  copyMapping: endpoint({
    ...oneMapping,
    method: 'POST',
    path: '/mappings/{id}/copy',
    summary: 'Create a mapping of your own from the current version of this one',
    createsResource: true,
    body: fields({ name: Name }),
    success: created(CreatedMapping),
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  setMappingLifecycle: endpoint({
    ...oneMapping,
    method: 'PUT',
    path: '/mappings/{id}/lifecycle',
    summary: 'Set how long a mapping lives; null sets the configured default',
    body: fields({ ttl: optional(nullable(Duration)), inactivity_timeout: optional(nullable(Duration)) }),
    success: data(
      t.strict({ id: t.number, ttl: nullable(t.string), inactivity_timeout: t.string, updated_at: t.string }),
    ),
    errors: ['RESOURCE_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
};
