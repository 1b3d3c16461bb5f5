import { type Kernel, kernel, type WeightedEdge } from '../algorithm';
import { type CompactGraph, type ParallelWeights, sourcesOf, weightOf } from '../graph/compact-graph';
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

const DETAILS =
  "Kruskal's algorithm; one tree for each component. Without a weight_property every edge weighs 1. total_weight is the sum over the edges.";

const spanningTrees = (which: 'minimum' | 'maximum', parallel: ParallelWeights, description: string): Kernel =>
  kernel({
    name: `${which}_spanning_tree`,
    category: 'trees',
    networkx: `\`nx.${which}_spanning_edges(M, weight=w)\``,
    aliases: [`${which}_spanning_edges`],
    description,
    details: DETAILS,
    returns: 'edges',
    graph: 'undirected',
    weights: { parallel, allowed: 'all' },
    compute: (graph) => spanningTree(graph, which === 'minimum' ? 1 : -1),
  });

export const SPANNING_TREES: readonly Kernel[] = [
  spanningTrees('minimum', 'least', 'Edges of minimum total weight that connect all nodes of each component.'),
  spanningTrees(
    'maximum',
    'greatest',
    'Edges of maximum total weight that connect all nodes of each component, without a cycle.',
  ),
];
