import { commonNeighbours, type Kernel, nodeValues, scalar, SUMS } from '../algorithm';
import { type CompactGraph, findEdge, reversed, weightOf } from '../graph/compact-graph';
import { flag } from '../signature';
import { triangleCounts } from './triangles';

const withoutLoop = (graph: CompactGraph, node: number): number =>
  graph.offsets[node + 1]! - graph.offsets[node]! - (findEdge(graph, node, node) >= 0 ? 1 : 0);

/** NetworkX's `clustering`: plain, weighted (geometric mean of the weights), directed, or both. */
const clusteringOf = (graph: CompactGraph): Float64Array => {
  if (graph.directed || graph.weights !== null) return sharesOfTriangles(graph);
  const triangles = triangleCounts(graph);
  return new Float64Array(graph.nodeCount).map((_, node) => {
    const degree = withoutLoop(graph, node);
    return triangles[node] === 0 ? 0 : (2 * triangles[node]!) / (degree * (degree - 1));
  });
};

/**
 * Triangles of any orientation divided by the number of possible ones, with the directions of a directed graph
 * (Fagiolo).
 */
const sharesOfTriangles = (graph: CompactGraph): Float64Array => {
  const sides = graph.directed ? [graph, reversed(graph)] : [graph];
  const most = graph.weights?.reduce((a, b) => Math.max(a, b), -Infinity) ?? 1;
  const share = (side: CompactGraph, edge: number): number => weightOf(side, edge) / most;
  const values = new Float64Array(graph.nodeCount);
  /** Weight of the edges between the current node and each other node, one array per direction; NaN: no edge. */
  const joined = sides.map(() => new Float64Array(graph.nodeCount).fill(NaN));
  for (let a = 0; a < graph.nodeCount; a++) {
    for (const [at, side] of sides.entries()) {
      for (let e = side.offsets[a]!; e < side.offsets[a + 1]!; e++) joined[at]![side.targets[e]!] = share(side, e);
    }
    let triangles = 0;
    for (const side of sides) {
      for (let e = side.offsets[a]!; e < side.offsets[a + 1]!; e++) {
        const b = side.targets[e]!;
        if (b === a) continue;
        for (const next of sides) {
          for (let f = next.offsets[b]!; f < next.offsets[b + 1]!; f++) {
            const c = next.targets[f]!;
            if (c === a || c === b) continue;
            for (const closing of joined) {
              if (!Number.isNaN(closing[c])) triangles += Math.cbrt(share(side, e) * share(next, f) * closing[c]!);
            }
          }
        }
      }
    }
    let reciprocal = 0;
    for (let e = graph.offsets[a]!; e < graph.offsets[a + 1]!; e++) {
      const b = graph.targets[e]!;
      if (b !== a && joined.every((closing) => !Number.isNaN(closing[b]))) reciprocal++;
    }
    const degree = sides.reduce((sum, side) => sum + withoutLoop(side, a), 0);
    const pairs = degree * (degree - 1);
    if (triangles !== 0) values[a] = triangles / (graph.directed ? 2 * (pairs - 2 * reciprocal) : pairs);
    for (const [at, side] of sides.entries()) {
      for (let e = side.offsets[a]!; e < side.offsets[a + 1]!; e++) joined[at]![side.targets[e]!] = NaN;
    }
  }
  return values;
};

export const CLUSTERING: readonly Kernel[] = [
  nodeValues({
    name: 'clustering',
    networkx: '`nx.clustering(G, weight=w)`',
    aliases: ['clustering_coefficient'],
    category: 'clustering',
    description: 'Fraction of the pairs of neighbours of a node that are adjacent.',
    details:
      'Weighted: geometric mean of the weights of each triangle, relative to the largest weight. Directed: triangles of all orientations. Self-loops are ignored.',
    weights: SUMS,
    steps: commonNeighbours,
    values: (graph) => clusteringOf(graph),
  }),
  scalar({
    name: 'average_clustering',
    networkx: '`nx.average_clustering(G, weight=w)`',
    category: 'clustering',
    description: 'Average clustering coefficient of the nodes.',
    details: 'The mean of clustering; NaN if no node is counted.',
    weights: SUMS,
    parameters: { count_zeros: flag({ default: true, description: 'Count nodes whose coefficient is 0.' }) },
    steps: commonNeighbours,
    value: (graph, { count_zeros: zeros }) => {
      const values = clusteringOf(graph);
      const counted = zeros ? values : values.filter((value) => Math.abs(value) > 0);
      return counted.reduce((sum, value) => sum + value, 0) / counted.length;
    },
  }),
  scalar({
    name: 'transitivity',
    category: 'clustering',
    description: 'Fraction of the connected triples of nodes that are triangles.',
    details:
      'Three times the number of triangles, divided by the number of pairs of neighbours of all nodes; 0 without pairs.',
    graph: 'undirected',
    steps: commonNeighbours,
    value: (graph) => {
      const triangles = triangleCounts(graph).reduce((sum, count) => sum + 2 * count, 0);
      let pairs = 0;
      for (let node = 0; node < graph.nodeCount; node++)
        pairs += withoutLoop(graph, node) * (withoutLoop(graph, node) - 1);
      return triangles === 0 ? 0 : triangles / pairs;
    },
  }),
];
