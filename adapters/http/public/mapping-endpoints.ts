import * as t from 'io-ts';
import { Duration, fields, nullable, optional, text } from '../../../domain/kernel/codecs';
import { EdgeDefinition, NodeDefinition, PrimaryKeyType, PropertyType } from '../../../domain/mapping';
import { endpoint, IdParams } from '../kit';
import { Description, Name, nullableText, resourceListFields } from './codecs';

const Properties = optional(t.readonlyArray(fields({ name: t.string, type: PropertyType })));

const Sql = text({ min: 1, max: 100_000 });

const NodeDefinitionBody = fields({
  label: t.string,
  sql: Sql,
  primary_key: fields({ name: t.string, type: PrimaryKeyType }),
  properties: Properties,
});

const EdgeDefinitionBody = fields({
  type: t.string,
  sql: Sql,
  from_key: t.string,
  to_key: t.string,
  from_node: t.string,
  to_node: t.string,
  properties: Properties,
});

const mappingFields = {
  id: t.number,
  owner_username: t.string,
  name: t.string,
  description: t.string,
  current_version: t.number,
  ttl: nullableText,
  inactivity_timeout: t.string,
  created_at: t.string,
  updated_at: t.string,
};

const MappingVersion = t.strict({
  mapping_id: t.number,
  version: t.number,
  change_description: nullableText,
  node_definitions: t.readonlyArray(NodeDefinition),
  edge_definitions: t.readonlyArray(EdgeDefinition),
  created_at: t.string,
  created_by: t.string,
  created_by_name: t.string,
});

const MAPPING_BODY_BYTES = 8 * 1024 * 1024;

export const mappingEndpoints = {
  listMappings: endpoint({
    method: 'GET',
    path: '/mappings',
    summary: 'List mappings',
    access: 'user',
    query: fields({
      ...resourceListFields,
      sort_by: optional(t.keyof({ name: null, created_at: null, current_version: null })),
    }),
    success: {
      status: 200,
      shape: 'list',
      body: t.readonlyArray(t.strict({ ...mappingFields, snapshot_count: t.number })),
    },
    errors: [],
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
      node_definitions: t.readonlyArray(NodeDefinitionBody),
      edge_definitions: optional(t.readonlyArray(EdgeDefinitionBody)),
      ttl: optional(nullable(Duration)),
      inactivity_timeout: optional(nullable(Duration)),
    }),
    success: {
      status: 201,
      shape: 'data',
      body: t.strict({
        id: t.number,
        owner_username: t.string,
        name: t.string,
        current_version: t.number,
        created_at: t.string,
      }),
    },
    errors: [],
  }),
  getMapping: endpoint({
    method: 'GET',
    path: '/mappings/{id}',
    summary: 'One mapping with its current version',
    access: 'user',
    resource: 'mapping',
    params: IdParams,
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        ...mappingFields,
        node_definitions: t.readonlyArray(NodeDefinition),
        edge_definitions: t.readonlyArray(EdgeDefinition),
        version: MappingVersion,
      }),
    },
    errors: [],
  }),
};
