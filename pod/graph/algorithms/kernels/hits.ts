import { FLOWS, kernel, rounds } from '../algorithm';
import { reversed } from '../graph/compact-graph';
import { flag, maxIter, tol } from '../signature';
import { flow, iterate, largestChange } from './iterate';

const dividedBy = (values: Float64Array, total: number): Float64Array =>
  total === 0 ? values : values.map((value) => value / total);
const scaledToSum = (values: Float64Array) =>
  dividedBy(
    values,
    values.reduce((sum, value) => sum + value, 0),
  );
const scaledToMost = (values: Float64Array) =>
  dividedBy(
    values,
    values.reduce((a, b) => Math.max(a, b), 0),
  );

export const HITS = kernel({
  name: 'hits',
  networkx: '`nx.hits(M, tol=1e-15)`',
  category: 'centrality',
  description: 'Hub and authority values: good hubs point to good authorities.',
  details:
    'Power iteration until no hub changes by more than tol times the largest one. NetworkX uses a matrix decomposition; if the two largest singular values are close, a larger max_iter is required here. Normalized values sum to 1; otherwise the largest is 1. Returns both maps; a property stores the authorities.',
  returns: 'node_values',
  parameters: {
    max_iter: maxIter(100),
    tol: tol(1e-8),
    normalized: flag({ default: true, description: 'Normalize hubs and authorities to the sum 1.' }),
  },
  weights: FLOWS,
  steps: (size, { max_iter: most }) => rounds(size, most),
  compute: (graph, { normalized, ...limits }, run) => {
    const { nodeCount } = graph;
    const incoming = reversed(graph);
    const scaled = normalized ? scaledToSum : scaledToMost;
    let hubs: Float64Array = new Float64Array(nodeCount).fill(1 / nodeCount);
    let authorities: Float64Array = new Float64Array(nodeCount);
    iterate(limits, run, () => {
      authorities = new Float64Array(nodeCount);
      flow(graph, hubs, authorities);
      const next = new Float64Array(nodeCount);
      flow(incoming, authorities, next);
      const scaledNext = scaledToMost(next);
      const change = largestChange(scaledNext, hubs);
      hubs = scaledNext;
      return change;
    });
    return { type: 'node_maps', maps: { authorities: scaled(authorities), hubs: scaled(hubs) } };
  },
});
