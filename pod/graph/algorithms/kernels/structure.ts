import { type Kernel, nodeValues, scalar } from '../algorithm';
import { type CompactGraph, edgeCount, findEdge, reversed, sourcesOf } from '../graph/compact-graph';
import { inDegrees, outDegrees } from '../graph/degrees';
import { createSearch } from '../graph/search';
import { flow } from './iterate';

export const STRUCTURE: readonly Kernel[] = [
  scalar({
    name: 'density',
    category: 'structure',
    description: 'Fraction of the possible edges that exist.',
    details: 'Self-loops count as edges, but not as possible edges, so values above 1 are possible; 0 without edges.',
    value: (graph) => {
      const { nodeCount, directed } = graph;
      const edges = edgeCount(graph);
      const value = edges === 0 || nodeCount <= 1 ? 0 : edges / (nodeCount * (nodeCount - 1)) / (directed ? 1 : 0.5);
      return value;
    },
  }),
  scalar({
    name: 'number_of_nodes',
    networkx: '`G.number_of_nodes()`',
    category: 'structure',
    description: 'Number of nodes.',
    details: 'Of the chosen label.',
    value: ({ nodeCount }) => nodeCount,
  }),
  scalar({
    name: 'number_of_edges',
    networkx: '`G.number_of_edges()`',
    category: 'structure',
    description: 'Number of edges after parallel edges are merged.',
    details: 'Undirected: one per adjacent pair; directed: one per ordered pair. Self-loops count.',
    value: (graph) => edgeCount(graph),
  }),
  scalar({
    name: 'degree_assortativity_coefficient',
    networkx: '`nx.degree_pearson_correlation_coefficient(G)`',
    aliases: ['assortativity', 'degree_pearson_correlation_coefficient'],
    category: 'structure',
    description: 'Correlation of the degrees of adjacent nodes, from -1 to 1.',
    details:
      'Pearson correlation; in a directed graph, of the out-degree of the source with the in-degree of the target. NaN if all degrees are equal.',
    value: (graph) => {
      const x = outDegrees(graph);
      return correlation(graph, x, graph.directed ? inDegrees(graph) : x);
    },
  }),
  nodeValues({
    name: 'average_neighbor_degree',
    category: 'structure',
    description: 'Average degree of the neighbours of a node.',
    details: 'In a directed graph, out-degrees of the targets of its edges. 0 without neighbours.',
    values: (graph) => {
      const degrees = outDegrees(graph);
      const sums = new Float64Array(graph.nodeCount);
      flow(reversed(graph), degrees, sums);
      return sums.map((sum, node) => (sum > 0 ? sum / degrees[node]! : 0));
    },
  }),
  scalar({
    name: 'overall_reciprocity',
    aliases: ['reciprocity'],
    category: 'structure',
    description: 'Fraction of the edges that have an edge in the opposite direction.',
    details: 'Self-loops count as edges without an opposite one. NaN without edges.',
    graph: 'directed',
    value: (graph) => {
      const { targets } = graph;
      const isReturned = (source: number, edge: number): boolean =>
        targets[edge] !== source && findEdge(graph, targets[edge]!, source) >= 0;
      return sourcesOf(graph).filter(isReturned).length / targets.length;
    },
  }),
  scalar({
    name: 'is_bipartite',
    category: 'structure',
    description: 'Whether the nodes can be divided into two sets without an edge inside a set.',
    details: 'A self-loop makes it false.',
    graph: 'undirected',
    value: (graph) => isBipartite(graph),
  }),
];

/** Pearson correlation over all edges, in two passes to avoid cancellation. */
const correlation = (graph: CompactGraph, x: Float64Array, y: Float64Array): number => {
  const { nodeCount, offsets, targets } = graph;
  let [meanX, meanY] = [0, 0];
  for (let node = 0; node < nodeCount; node++) meanX += x[node]! * (offsets[node + 1]! - offsets[node]!);
  for (const target of targets) meanY += y[target]!;
  meanX /= targets.length;
  meanY /= targets.length;
  let [xy, xx, yy] = [0, 0, 0];
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const [dx, dy] = [x[node]! - meanX, y[targets[edge]!]! - meanY];
      xy += dx * dy;
      xx += dx * dx;
      yy += dy * dy;
    }
  }
  return xy / Math.sqrt(xx * yy);
};

/** Whether every edge joins nodes at an odd and an even distance from the first node of their component. */
const isBipartite = (graph: CompactGraph): boolean => {
  const { nodeCount, offsets, targets } = graph;
  const { from, order, distances } = createSearch(graph);
  const isReached = new Uint8Array(nodeCount);
  for (let start = 0; start < nodeCount; start++) {
    if (isReached[start] === 1) continue;
    const reached = from(start);
    for (const node of order.subarray(0, reached)) {
      isReached[node] = 1;
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        if (distances[targets[edge]!]! % 2 === distances[node]! % 2) return false;
      }
    }
  }
  return true;
};
