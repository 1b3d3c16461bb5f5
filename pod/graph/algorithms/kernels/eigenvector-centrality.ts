import { left } from 'fp-ts/Either';
import { FLOWS, type Kernel, nodeValues, rounds, SUMS } from '../algorithm';
import { flag, maxIter, real, tol } from '../signature';
import { flow, iterate, largestChange } from './iterate';

const length = (values: Float64Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

export const EIGENVECTOR: readonly Kernel[] = [
  nodeValues({
    name: 'eigenvector_centrality',
    networkx: '`nx.eigenvector_centrality(G, max_iter=5000, tol=1e-12, weight=w)`',
    aliases: ['eigenvector'],
    category: 'centrality',
    description: 'Importance of a node, by the importance of the nodes that point to it.',
    details:
      'The eigenvector of the largest eigenvalue, normalized to length 1, by power iteration on A + I from equal values; in a directed graph, of the incoming edges. Ends when no value changes by more than tol times the largest value.',
    weights: FLOWS,
    parameters: { max_iter: maxIter(100), tol: tol(1e-6) },
    steps: (size, { max_iter: most }) => rounds(size, most),
    values: (graph, limits, run) => {
      const { nodeCount } = graph;
      let values: Float64Array = new Float64Array(nodeCount).fill(1 / nodeCount);
      iterate(limits, run, () => {
        const next = values.slice();
        flow(graph, values, next);
        const norm = length(next) || 1;
        for (let node = 0; node < nodeCount; node++) next[node]! /= norm;
        const change = largestChange(next, values);
        values = next;
        return change;
      });
      return values;
    },
  }),
  nodeValues({
    name: 'katz_centrality',
    networkx: '`nx.katz_centrality(G, tol=1e-12, weight=w)`',
    aliases: ['katz'],
    category: 'centrality',
    description: 'Number of walks that end at a node; longer walks have less weight.',
    details:
      'x = alpha A x + beta over incoming edges; converges only if alpha is less than the inverse of the largest eigenvalue. Ends when no value changes by more than tol times the largest value; fails after max_iter.',
    weights: SUMS,
    parameters: {
      alpha: real({ default: 0.1, description: 'Attenuation factor per step.' }),
      beta: real({ default: 1, description: 'Initial value of every node.' }),
      max_iter: maxIter(1000),
      tol: tol(1e-6),
      normalized: flag({ default: true, description: 'Normalize the vector of values to length 1.' }),
    },
    steps: (size, { max_iter: most }) => rounds(size, most),
    values: (graph, { alpha, beta, normalized, ...limits }, run) => {
      const { nodeCount } = graph;
      let values: Float64Array = new Float64Array(nodeCount);
      const hasConverged = iterate(limits, run, () => {
        const next = new Float64Array(nodeCount);
        flow(graph, values, next);
        for (let node = 0; node < nodeCount; node++) next[node] = alpha * next[node]! + beta;
        const change = largestChange(next, values);
        values = next;
        return change;
      });
      // Mostly because the sum over all walks is infinite, so the values have no meaning.
      if (!hasConverged)
        return left('katz_centrality has not converged within max_iter; lower alpha or raise max_iter.');
      const norm = normalized ? length(values) || 1 : 1;
      return values.map((value) => value / norm);
    },
  }),
];
