import { type Either, left, right } from 'fp-ts/Either';
import { at, type CompactGraph } from './compact-graph';

export interface PagerankParameters {
  /** Chance of following an edge rather than jumping to any node. */
  readonly damping: number;
  readonly max_iterations: number;
  /** Converged when the ranks change by less than this per node, summed up. */
  readonly tolerance: number;
}

/**
 * PageRank as NetworkX defines it: the ranks sum to 1, and the rank of nodes without outgoing edges is spread over all
 * nodes. Answers why when it has not converged within `max_iterations`.
 */
export const pagerank = (
  graph: CompactGraph,
  { damping, max_iterations: maxIterations, tolerance }: PagerankParameters,
): Either<string, Float64Array> => {
  const { nodeCount, offsets, targets, weights } = graph;
  if (nodeCount === 0) return right(new Float64Array(0));
  const outWeight = outWeights(graph);
  let ranks = new Float64Array(nodeCount).fill(1 / nodeCount);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const next = new Float64Array(nodeCount);
    let dangling = 0;
    for (let node = 0; node < nodeCount; node++) {
      const total = at(outWeight, node);
      if (total === 0) {
        dangling += at(ranks, node);
        continue;
      }
      const share = (damping * at(ranks, node)) / total;
      for (let edge = at(offsets, node); edge < at(offsets, node + 1); edge++) {
        const target = at(targets, edge);
        next[target] = at(next, target) + (weights === null ? share : share * at(weights, edge));
      }
    }
    const base = (damping * dangling + 1 - damping) / nodeCount;
    let change = 0;
    for (let node = 0; node < nodeCount; node++) {
      const rank = at(next, node) + base;
      change += Math.abs(rank - at(ranks, node));
      next[node] = rank;
    }
    ranks = next;
    if (change < nodeCount * tolerance) return right(ranks);
  }
  return left(
    `pagerank has not converged within ${maxIterations} iterations; raise max_iterations or tolerance (now ${tolerance}).`,
  );
};

const outWeights = ({ nodeCount, offsets, weights }: CompactGraph): Float64Array => {
  const totals = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    const [first, end] = [at(offsets, node), at(offsets, node + 1)];
    if (weights === null) totals[node] = end - first;
    else for (let edge = first; edge < end; edge++) totals[node] = at(totals, node) + at(weights, edge);
  }
  return totals;
};
