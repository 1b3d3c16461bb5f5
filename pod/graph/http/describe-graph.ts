import { type GraphProperty } from '../engine/graph-schema';
import { rowCountOf, totalRows } from '../instance';
import { type LoadedGraph } from '../loading/load-graph';

/** The graph as `/schema` shows it: from the mapping and the load, written-back properties included. */
export const describeGraph = ({ schema, nodes, edges }: LoadedGraph) => ({
  node_tables: schema.nodeTables.map(({ label, primaryKey, properties }) => ({
    label,
    primary_key: primaryKey.name,
    primary_key_type: primaryKey.declaredType,
    properties: typesByName(properties),
    node_count: rowCountOf(nodes, label),
  })),
  edge_tables: schema.edgeTables.map(({ type, fromNode, toNode, properties }) => ({
    type,
    from_node: fromNode,
    to_node: toNode,
    properties: typesByName(properties),
    edge_count: rowCountOf(edges, type),
  })),
  total_nodes: totalRows(nodes),
  total_edges: totalRows(edges),
});

const typesByName = (properties: readonly GraphProperty[]): Record<string, string> =>
  Object.fromEntries(properties.map(({ name, declaredType }) => [name, declaredType]));
