import { type Kernel, kernel, type WeightedEdge } from '../algorithm';
import { type CompactGraph, sourcesOf, weightOf } from '../graph/compact-graph';
import { createNodeSets } from '../graph/partition';

/** Kruskal's algorithm: edges in the order of `sign` times weight, ties in the order of the nodes. */
const spanningTree = (graph: CompactGraph, sign: 1 | -1) => {
  const sources = sourcesOf(graph);
  const places = new Uint32Array(sources.length)
    .map((_, edge) => edge)
    .filter((edge) => sources[edge]! < graph.targets[edge]!);
  if (graph.weights !== null) places.sort((a, b) => sign * (weightOf(graph, a) - weightOf(graph, b)) || a - b);
  const sets = createNodeSets(graph.nodeCount);
  const edges: WeightedEdge[] = [];
  for (const edge of places) {
    const [a, b] = [sources[edge]!, graph.targets[edge]!];
    if (sets.join(a, b)) edges.push([a, b, weightOf(graph, edge)]);
  }
  return { type: 'edges' as const, edges };
};

const shared = { category: 'trees', returns: 'edges', graph: 'undirected' } as const;
const DETAILS =
  "Kruskal's algorithm; one tree for each component. Without a weight_property every edge weighs 1. total_weight is the sum over the edges.";

export const SPANNING_TREES: readonly Kernel[] = [
  kernel({
    ...shared,
    name: 'minimum_spanning_tree',
    networkx: '`nx.minimum_spanning_edges(M, weight=w)`',
    aliases: ['minimum_spanning_edges'],
    description: 'Edges of minimum total weight that connect all nodes of each component.',
    details: DETAILS,
    weights: { parallel: 'least', allowed: 'all' },
    compute: (graph) => spanningTree(graph, 1),
  }),
  kernel({
    ...shared,
    name: 'maximum_spanning_tree',
    networkx: '`nx.maximum_spanning_edges(M, weight=w)`',
    aliases: ['maximum_spanning_edges'],
    description: 'Edges of maximum total weight that connect all nodes of each component, without a cycle.',
    details: DETAILS,
    weights: { parallel: 'greatest', allowed: 'all' },
    compute: (graph) => spanningTree(graph, -1),
  }),
];
