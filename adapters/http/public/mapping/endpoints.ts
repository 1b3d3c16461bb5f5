import * as t from 'io-ts';
import { LiveStatus } from '../../../../domain/instance';
import { DescribedText, Duration, fields, nullable, oneOf, optional, text } from '../../../../domain/kernel/codecs';
import {
  EDGE_TYPE_WORDS,
  EdgeDefinition,
  NAME_WORDS,
  NodeDefinition,
  PrimaryKeyType,
  PropertyType,
} from '../../../../domain/mapping';
import { SnapshotStatus } from '../../../../domain/snapshot';
import { InstanceOfMapping } from '../../../../queries/views/instance';
import {
  MappingDetailView,
  MappingListView,
  MappingTreeView,
  MappingVersionSummary,
  MappingVersionView,
  MappingView,
} from '../../../../queries/views/mapping';
import { pick } from '../../../../queries/views/pick';
import { SnapshotListView } from '../../../../queries/views/snapshot';
import { created, data, endpoint, IdParams, list, PathId, QueryBoolean, VersionInPath } from '../../kit';
import { asOfField } from '../as-of/as-of-field';
import { Description, listFields, Name, resourceListFields } from '../codecs';

// Their form is compared with all definitions (`validateDefinitions`).
const NameText = new DescribedText(`must be ${NAME_WORDS}`);
const NodeLabel = new DescribedText('must be a node label of this mapping');

const Properties = optional(t.readonlyArray(fields({ name: NameText, type: PropertyType })));

export const Sql = text({ min: 1, max: 100_000 });

const NodeDefinitionBodies = t.readonlyArray(
  fields({
    label: NameText,
    sql: Sql,
    primary_key: fields({ name: NameText, type: PrimaryKeyType }),
    properties: Properties,
  }),
);

const EdgeDefinitionBodies = t.readonlyArray(
  fields({
    type: new DescribedText(`must be ${EDGE_TYPE_WORDS}`),
    sql: Sql,
    from_key: NameText,
    to_key: NameText,
    from_node: NodeLabel,
    to_node: NodeLabel,
    properties: Properties,
  }),
);

/** The response to create and copy. */
const CreatedMapping = t.strict(pick(MappingView, 'id', 'owner_username', 'name', 'current_version', 'created_at'));

const MAPPING_BODY_BYTES = 8 * 1024 * 1024;

const oneMapping = { access: 'user', resource: 'mapping', params: IdParams } as const;

export const mappingEndpoints = {
  listMappings: endpoint('GET /mappings', {
    summary: 'List mappings',
    access: 'user',
    query: fields(resourceListFields('name', 'created_at', 'current_version')),
    success: list(MappingListView),
  }),
  createMapping: endpoint('POST /mappings', {
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
  getMapping: endpoint('GET /mappings/{id}', {
    ...oneMapping,
    summary: 'One mapping with its current version',
    query: fields(asOfField),
    success: data(MappingDetailView),
  }),
  updateMapping: endpoint('PUT /mappings/{id}', {
    ...oneMapping,
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
    errors: ['PERMISSION_DENIED'],
  }),
  deleteMapping: endpoint('DELETE /mappings/{id}', {
    ...oneMapping,
    summary: 'Delete a mapping that has no snapshots',
    success: data(t.strict({ deleted: t.literal(true) })),
    errors: ['PERMISSION_DENIED', 'RESOURCE_HAS_DEPENDENCIES'],
  }),
  copyMapping: endpoint('POST /mappings/{id}/copy', {
    ...oneMapping,
    summary: 'Copy the current version to a new mapping of your own',
    createsResource: true,
    body: fields({ name: Name }),
    success: created(CreatedMapping),
  }),
  setMappingLifecycle: endpoint('PUT /mappings/{id}/lifecycle', {
    ...oneMapping,
    summary: 'Set how long a mapping lives; null sets the configured default',
    body: fields({ ttl: optional(nullable(Duration)), inactivity_timeout: optional(nullable(Duration)) }),
    success: data(
      t.strict({ id: t.number, ttl: nullable(t.string), inactivity_timeout: t.string, updated_at: t.string }),
    ),
    errors: ['PERMISSION_DENIED'],
  }),
};

const changeFields = {
  change_type: oneOf('added', 'removed', 'modified'),
  fields_changed: optional(t.readonlyArray(t.string)),
};
const NodeChange = fields({
  label: t.string,
  ...changeFields,
  from: nullable(NodeDefinition),
  to: nullable(NodeDefinition),
});
const EdgeChange = fields({
  type: t.string,
  ...changeFields,
  from: nullable(EdgeDefinition),
  to: nullable(EdgeDefinition),
});

/** Operations on the history of a mapping. */
export const mappingHistoryEndpoints = {
  listMappingVersions: endpoint('GET /mappings/{id}/versions', {
    ...oneMapping,
    summary: 'List the versions of a mapping, newest first',
    query: fields(listFields('version', 'created_at')),
    success: list(MappingVersionSummary),
  }),
  getMappingVersion: endpoint('GET /mappings/{id}/versions/{v}', {
    ...oneMapping,
    summary: 'One version of a mapping',
    params: fields({ id: PathId, v: VersionInPath }),
    success: data(MappingVersionView),
    errors: ['MAPPING_VERSION_NOT_FOUND'],
  }),
  diffMappingVersions: endpoint('GET /mappings/{id}/versions/{v1}/diff/{v2}', {
    ...oneMapping,
    summary: 'Differences between two versions of a mapping',
    params: fields({ id: PathId, v1: VersionInPath, v2: VersionInPath }),
    success: data(
      t.strict({
        mapping_id: t.number,
        from_version: t.number,
        to_version: t.number,
        summary: t.strict({
          nodes_added: t.number,
          nodes_removed: t.number,
          nodes_modified: t.number,
          edges_added: t.number,
          edges_removed: t.number,
          edges_modified: t.number,
        }),
        changes: t.strict({ nodes: t.readonlyArray(NodeChange), edges: t.readonlyArray(EdgeChange) }),
      }),
    ),
    errors: ['MAPPING_VERSION_NOT_FOUND'],
  }),
  getMappingTree: endpoint('GET /mappings/{id}/tree', {
    ...oneMapping,
    summary: 'The versions of a mapping with their snapshots and instances, newest first',
    query: fields({ include_instances: optional(QueryBoolean), status: optional(SnapshotStatus) }),
    success: data(MappingTreeView),
  }),
  listMappingInstances: endpoint('GET /mappings/{id}/instances', {
    ...oneMapping,
    summary: 'List the instances of all versions of a mapping, newest first',
    query: fields({ ...resourceListFields('name', 'created_at', 'status'), status: optional(LiveStatus) }),
    success: list(InstanceOfMapping),
  }),
  listMappingSnapshots: endpoint('GET /mappings/{id}/snapshots', {
    ...oneMapping,
    summary: 'List the snapshots of all versions of a mapping, newest first',
    query: fields({
      ...resourceListFields('name', 'created_at', 'status', 'size_bytes'),
      status: optional(SnapshotStatus),
    }),
    success: list(SnapshotListView),
  }),
};
