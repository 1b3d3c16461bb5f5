import * as t from 'io-ts';
import { EdgeDefinition, NodeDefinition } from '../../../domain/mapping/definitions';

const { sql: _nodeSql, ...nodeFields } = NodeDefinition.type.props;
export const LoadedNodeDefinition = t.strict(nodeFields);
export type LoadedNodeDefinition = t.TypeOf<typeof LoadedNodeDefinition>;

const { sql: _edgeSql, ...edgeFields } = EdgeDefinition.type.props;
export const LoadedEdgeDefinition = t.strict(edgeFields);
export type LoadedEdgeDefinition = t.TypeOf<typeof LoadedEdgeDefinition>;

/** The mapping of an instance, as sent by the control plane to the pod: definitions without their SQL. */
export const InstanceMapping = t.strict({
  snapshot_id: t.number,
  mapping_id: t.number,
  mapping_version: t.number,
  /** Folder of the snapshot below the root of the object store; ends with `/`. */
  storage_path: t.string,
  node_definitions: t.readonlyArray(LoadedNodeDefinition),
  edge_definitions: t.readonlyArray(LoadedEdgeDefinition),
});
export type InstanceMapping = t.TypeOf<typeof InstanceMapping>;
