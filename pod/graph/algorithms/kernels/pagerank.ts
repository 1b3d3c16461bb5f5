import { FLOWS, nodeValues, rounds } from '../algorithm';
import { reversed } from '../graph/compact-graph';
import { maxIter, real, tol } from '../signature';
import { flow, iterate, relativeChange } from './iterate';

export const PAGERANK = nodeValues({
  name: 'pagerank',
  networkx: '`nx.pagerank(M, max_iter=5000, tol=1e-12, weight=w)`',
  category: 'centrality',
  description: 'Importance of each node, by the importance of the nodes that point to it.',
  details:
    'The ranks sum to 1; the rank of nodes without outgoing edges is distributed over all nodes. An undirected edge counts in both directions. Ends when the estimated relative error of every rank is at most tol: six digits by default.',
  weights: FLOWS,
  parameters: {
    alpha: real({
      default: 0.85,
      min: 0,
      max: 1,
      description: 'Damping factor: probability of following an edge instead of jumping to a random node.',
      aliases: ['damping'],
    }),
    max_iter: maxIter(200),
    tol: tol(1e-6),
  },
  steps: (size, { max_iter: most }) => rounds(size, most),
  values: (graph, { alpha, ...limits }, run) => {
    const { nodeCount } = graph;
    const incoming = reversed(graph);
    const { offsets, targets: sources, weights } = incoming;
    /** Weight of the edges that leave each node. */
    const outWeight = new Float64Array(nodeCount);
    flow(incoming, new Float64Array(nodeCount).fill(1), outWeight);
    let ranks: Float64Array = new Float64Array(nodeCount).fill(1 / nodeCount);
    const shares = new Float64Array(nodeCount);
    // All later changes together are at most this times the last one.
    const remaining = alpha < 1 ? alpha / (1 - alpha) : 1;
    iterate(limits, run, () => {
      let dangling = 0;
      for (let node = 0; node < nodeCount; node++) {
        const total = outWeight[node]!;
        if (total === 0) dangling += ranks[node]!;
        shares[node] = total === 0 ? 0 : ranks[node]! / total;
      }
      const base = (alpha * dangling + 1 - alpha) / nodeCount;
      const next = new Float64Array(nodeCount);
      for (let node = 0; node < nodeCount; node++) {
        let sum = 0;
        const end = offsets[node + 1]!;
        if (weights === null) for (let edge = offsets[node]!; edge < end; edge++) sum += shares[sources[edge]!]!;
        else for (let edge = offsets[node]!; edge < end; edge++) sum += shares[sources[edge]!]! * weights[edge]!;
        next[node] = alpha * sum + base;
      }
      const change = relativeChange(next, ranks);
      ranks = next;
      return remaining * change;
    });
    return ranks;
  },
});
