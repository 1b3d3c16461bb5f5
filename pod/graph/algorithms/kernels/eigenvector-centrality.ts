import { left, right } from 'fp-ts/Either';
import { type CompactGraph, weightOf } from '../graph/compact-graph';
import { kernel, rounds } from '../algorithm';
import { flag, maxIter, real, tol } from '../signature';

/** Adds to each node of `into` the values of its incoming edges. */
export const flow = (graph: CompactGraph, values: Float64Array, into: Float64Array): void => {
  const { nodeCount, offsets, targets } = graph;
  for (let node = 0; node < nodeCount; node++) {
    const value = values[node]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      into[targets[edge]!]! += value * weightOf(graph, edge);
    }
  }
};

const length = (values: Float64Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

export const difference = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let node = 0; node < a.length; node++) sum += Math.abs(a[node]! - b[node]!);
  return sum;
};

export const notConverged = (name: string, iterations: number) =>
  left(`${name} has not converged within ${iterations} iterations; raise max_iter or tol.`);

export const EIGENVECTOR_CENTRALITY = kernel({
  name: 'eigenvector_centrality',
  aliases: ['eigenvector'],
  category: 'centrality',
  description: 'Importance of a node, by the importance of the nodes that point to it.',
  details:
    'The eigenvector of the largest eigenvalue, normalized to length 1, by power iteration on A + I from equal values; in a directed graph, of the incoming edges.',
  returns: 'node_values',
  weighted: true,
  parameters: { max_iter: maxIter(100), tol: tol(1e-6) },
  steps: (size, { max_iter: most }) => rounds(size, most),
  compute: (graph, { max_iter: most, tol: limit }, { progress }) => {
    const { nodeCount } = graph;
    let values: Float64Array = new Float64Array(nodeCount).fill(1 / nodeCount);
    for (let iteration = 0; iteration < most; iteration++) {
      const next = values.slice();
      flow(graph, values, next);
      const norm = length(next) || 1;
      for (let node = 0; node < nodeCount; node++) next[node]! /= norm;
      const change = difference(next, values);
      values = next;
      if (change < nodeCount * limit || nodeCount === 0) return right({ type: 'node_values', values });
      progress(iteration / most);
    }
    return notConverged('eigenvector_centrality', most);
  },
});

export const KATZ_CENTRALITY = kernel({
  name: 'katz_centrality',
  aliases: ['katz'],
  category: 'centrality',
  description: 'Number of walks that end at a node; longer walks have less weight.',
  details:
    'x = alpha A x + beta over incoming edges; converges only if alpha is less than the inverse of the largest eigenvalue.',
  returns: 'node_values',
  weighted: true,
  parameters: {
    alpha: real({ default: 0.1, description: 'Attenuation factor per step.' }),
    beta: real({ default: 1, description: 'Initial value of every node.' }),
    max_iter: maxIter(1000),
    tol: tol(1e-6),
    normalized: flag({ default: true, description: 'Normalize the vector of values to length 1.' }),
  },
  steps: (size, { max_iter: most }) => rounds(size, most),
  compute: (graph, { alpha, beta, max_iter: most, tol: limit, normalized }, { progress }) => {
    const { nodeCount } = graph;
    if (nodeCount === 0) return right({ type: 'node_values', values: new Float64Array(0) });
    let values: Float64Array = new Float64Array(nodeCount);
    for (let iteration = 0; iteration < most; iteration++) {
      const next = new Float64Array(nodeCount);
      flow(graph, values, next);
      for (let node = 0; node < nodeCount; node++) next[node] = alpha * next[node]! + beta;
      const change = difference(next, values);
      values = next;
      if (change < nodeCount * limit) {
        const norm = normalized ? length(values) || 1 : 1;
        return right({ type: 'node_values', values: values.map((value) => value / norm) });
      }
      if (!Number.isFinite(change)) break;
      progress(iteration / most);
    }
    return left(`katz_centrality has not converged within ${most} iterations; lower alpha or raise max_iter.`);
  },
});
