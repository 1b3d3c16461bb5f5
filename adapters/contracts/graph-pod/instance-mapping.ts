import * as t from 'io-ts';
import { PrimaryKeyType, PropertyDefinition } from '../../../domain/mapping/definitions';

export const LoadedNodeDefinition = t.strict({
  label: t.string,
  primary_key: t.strict({ name: t.string, type: PrimaryKeyType }),
  properties: t.readonlyArray(PropertyDefinition),
});
export type LoadedNodeDefinition = t.TypeOf<typeof LoadedNodeDefinition>;

export const LoadedEdgeDefinition = t.strict({
  type: t.string,
  from_key: t.string,
  to_key: t.string,
  from_node: t.string,
  to_node: t.string,
  properties: t.readonlyArray(PropertyDefinition),
});
export type LoadedEdgeDefinition = t.TypeOf<typeof LoadedEdgeDefinition>;

/** What an instance is loaded from, as the control plane tells its pod: definitions without their SQL. */
export const InstanceMapping = t.strict({
  snapshot_id: t.number,
  mapping_id: t.number,
  mapping_version: t.number,
  /** Object-store address of the snapshot's folder, ends in `/`. */
  storage_path: t.string,
  node_definitions: t.readonlyArray(LoadedNodeDefinition),
  edge_definitions: t.readonlyArray(LoadedEdgeDefinition),
});
export type InstanceMapping = t.TypeOf<typeof InstanceMapping>;
