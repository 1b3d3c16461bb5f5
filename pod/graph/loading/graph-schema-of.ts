import { type GraphProperty, type GraphSchema } from '../engine/graph-schema';
import { type CheckedSource, type CheckedSources } from './check-sources';
import { type EdgeSource, type NodeSource } from './source-table';
import { type StoredColumn } from './stored-column';

/** The schema of the graph the checked definitions make. */
export const graphSchema = ({ nodes, edges }: CheckedSources): GraphSchema => ({
  nodeTables: nodes.map((checked) => ({
    label: checked.name,
    primaryKey: graphProperty(checked, checked.source.key),
    properties: checked.source.columns.slice(1).map((column) => graphProperty(checked, column)),
  })),
  edgeTables: edges.map((checked) => ({
    type: checked.name,
    fromNode: checked.source.definition.from_node,
    toNode: checked.source.definition.to_node,
    properties: checked.source.columns.slice(2).map((column) => graphProperty(checked, column)),
  })),
});

const graphProperty = (
  { wholeMilliseconds }: CheckedSource<NodeSource | EdgeSource>,
  { name, declaredType, type }: StoredColumn,
): GraphProperty => ({ name, declaredType, type, wholeMilliseconds: wholeMilliseconds.has(name) });
