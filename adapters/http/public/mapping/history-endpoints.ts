import * as t from 'io-ts';
import { fields, nullable, optional } from '../../../../domain/kernel/codecs';
import { LiveStatus } from '../../../../domain/instance';
import { EdgeDefinition, NodeDefinition } from '../../../../domain/mapping';
import { SnapshotStatus } from '../../../../domain/snapshot';
import { InstanceOfMapping } from '../../../../queries/views/instance';
import { MappingTreeView, MappingVersionSummary, MappingVersionView } from '../../../../queries/views/mapping';
import { SnapshotListView } from '../../../../queries/views/snapshot';
import { data, endpoint, IdParams, list, PathId, QueryBoolean, VersionInPath } from '../../kit';
import { listFields, resourceListFields } from '../codecs';

const ofMapping = { method: 'GET', access: 'user', resource: 'mapping', params: IdParams } as const;

const changeFields = {
  change_type: t.keyof({ added: null, removed: null, modified: null }),
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

/** What a mapping was and what was made of it. */
export const mappingHistoryEndpoints = {
  listMappingVersions: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/versions',
    summary: 'List the versions of a mapping, newest first',
    query: fields(listFields('version', 'created_at')),
    success: list(MappingVersionSummary),
  }),
  getMappingVersion: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/versions/{v}',
    summary: 'One version of a mapping',
    params: fields({ id: PathId, v: VersionInPath }),
    success: data(MappingVersionView),
    errors: ['MAPPING_VERSION_NOT_FOUND'],
  }),
  diffMappingVersions: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/versions/{v1}/diff/{v2}',
    summary: 'What changed from one version of a mapping to another',
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
  getMappingTree: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/tree',
    summary: 'The versions of a mapping with their snapshots and instances, newest first',
    query: fields({ include_instances: optional(QueryBoolean), status: optional(SnapshotStatus) }),
    success: data(MappingTreeView),
  }),
  listMappingInstances: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/instances',
    summary: 'List the instances of all versions of a mapping, newest first',
    query: fields({ ...resourceListFields('name', 'created_at', 'status'), status: optional(LiveStatus) }),
    success: list(InstanceOfMapping),
  }),
  listMappingSnapshots: endpoint({
    ...ofMapping,
    path: '/mappings/{id}/snapshots',
    summary: 'List the snapshots of all versions of a mapping, newest first',
    query: fields({
      ...resourceListFields('name', 'created_at', 'status', 'size_bytes'),
      status: optional(SnapshotStatus),
    }),
    success: list(SnapshotListView),
  }),
};
