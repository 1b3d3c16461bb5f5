import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';
import { EdgeDefinition, NodeDefinition } from '../../domain/mapping';
import { InstanceOfSnapshot } from './instance';
import { pick } from './pick';
import { SnapshotView } from './snapshot';

export const MappingView = t.strict({
  id: t.number,
  owner_username: t.string,
  name: t.string,
  description: t.string,
  current_version: t.number,
  ttl: nullable(t.string),
  inactivity_timeout: t.string,
  created_at: t.string,
  updated_at: t.string,
});
export type MappingView = t.TypeOf<typeof MappingView>;

export const MappingListView = t.strict({ ...MappingView.type.props, snapshot_count: t.number });
export type MappingListView = t.TypeOf<typeof MappingListView>;

/** A version without its definitions. */
export const MappingVersionSummary = t.strict({
  version: t.number,
  change_description: nullable(t.string),
  created_at: t.string,
  created_by: t.string,
  created_by_name: t.string,
});
export type MappingVersionSummary = t.TypeOf<typeof MappingVersionSummary>;

const definitions = {
  node_definitions: t.readonlyArray(NodeDefinition),
  edge_definitions: t.readonlyArray(EdgeDefinition),
};

export const MappingVersionView = t.strict({
  mapping_id: t.number,
  ...MappingVersionSummary.type.props,
  ...definitions,
});
export type MappingVersionView = t.TypeOf<typeof MappingVersionView>;

export const MappingDetailView = t.strict({
  ...MappingView.type.props,
  ...definitions,
  version: MappingVersionView,
});

export const TreeSnapshot = t.strict({
  ...pick(SnapshotView, 'id', 'name', 'status', 'created_at'),
  instance_count: t.number,
  instances: t.readonlyArray(InstanceOfSnapshot),
});
export type TreeSnapshot = t.TypeOf<typeof TreeSnapshot>;

export const TreeVersion = t.strict({
  ...pick(MappingVersionSummary, 'version', 'change_description', 'created_at'),
  snapshot_count: t.number,
  snapshots: t.readonlyArray(TreeSnapshot),
});
export type TreeVersion = t.TypeOf<typeof TreeVersion>;

/** A mapping's versions, their snapshots and the instances on them. */
export const MappingTreeView = t.strict({
  ...pick(MappingView, 'id', 'name', 'owner_username', 'current_version'),
  versions: t.readonlyArray(TreeVersion),
  totals: t.strict({ version_count: t.number, snapshot_count: t.number, instance_count: t.number }),
});
export type MappingTreeView = t.TypeOf<typeof MappingTreeView>;

export const SavedQueryView = t.strict({
  mapping_id: t.number,
  name: t.string,
  query: t.string,
  /** JSON text of an object, so that integers of 64 bits stay exact. */
  parameters: t.string,
  /** JSON text of the client's drawing of the result. */
  drawing: nullable(t.string),
  updated_at: t.string,
});
export type SavedQueryView = t.TypeOf<typeof SavedQueryView>;
