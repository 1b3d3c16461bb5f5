import { DISTANCES, type Kernel, type KernelRun, nodeValues, searches } from '../algorithm';
import { type CompactGraph, reversed } from '../graph/compact-graph';
import { createSearch } from '../graph/search';
import { flag } from '../signature';

/** A value per node from the distances of the nodes that reach it, itself first. */
const ofDistances = (
  graph: CompactGraph,
  { progress }: KernelRun,
  valueOf: (distances: Float64Array, order: Uint32Array, reached: number) => number,
) => {
  const search = createSearch(reversed(graph));
  const values = new Float64Array(graph.nodeCount);
  for (let node = 0; node < graph.nodeCount; node++) {
    const reached = search.from(node);
    values[node] = valueOf(search.distances, search.order, reached);
    progress(node / graph.nodeCount);
  }
  return values;
};

export const CLOSENESS: readonly Kernel[] = [
  nodeValues({
    name: 'closeness_centrality',
    networkx: '`nx.closeness_centrality(M, distance=w)`',
    aliases: ['closeness'],
    category: 'centrality',
    description: 'Closeness of a node to the nodes that can reach it.',
    details:
      'Inverse of the mean distance from the r nodes that can reach the node; with wf_improved multiplied by (r - 1) / (n - 1). Paths follow the directions of edges towards the node. With a weight_property distances are sums of weights. Time is proportional to nodes times edges.',
    weights: DISTANCES,
    parameters: {
      wf_improved: flag({ default: true, description: 'Multiply by the fraction of nodes that can reach the node.' }),
    },
    steps: (size) => searches(size, null),
    values: (graph, { wf_improved: improved }, run) =>
      ofDistances(graph, run, (distances, order, reached) => {
        const others = reached - 1;
        let total = 0;
        for (let place = 1; place <= others; place++) total += distances[order[place]!]!;
        return total > 0 ? (others / total) * (improved ? others / (graph.nodeCount - 1) : 1) : 0;
      }),
  }),
  nodeValues({
    name: 'harmonic_centrality',
    networkx: '`nx.harmonic_centrality(M, distance=w)`',
    aliases: ['harmonic'],
    category: 'centrality',
    description: 'Sum of the inverse distances from all other nodes.',
    details:
      'Nodes that cannot reach the node add nothing. Paths follow the directions of edges towards the node. With a weight_property distances are sums of weights; nodes at distance 0 are ignored. Time is proportional to nodes times edges.',
    weights: DISTANCES,
    steps: (size) => searches(size, null),
    values: (graph, _, run) =>
      ofDistances(graph, run, (distances, order, reached) => {
        let sum = 0;
        for (let place = 1; place < reached; place++) {
          const distance = distances[order[place]!]!;
          if (distance > 0) sum += 1 / distance;
        }
        return sum;
      }),
  }),
];
