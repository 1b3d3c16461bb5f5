import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Kernel, kernel, type KernelRun, type PairScore } from '../algorithm';
import { type CompactGraph, findEdge } from '../graph/compact-graph';
import { outDegrees } from '../graph/degrees';
import { nodePairs } from '../signature';

const MAX_PAIRS = 1_000_000;

const neighbours = ({ offsets, targets }: CompactGraph, node: number): Uint32Array =>
  targets.subarray(offsets[node], offsets[node + 1]);

/** The neighbours of both nodes; each of the two may be among them, if it has a self-loop. */
const sharedNeighbours = (graph: CompactGraph, a: number, b: number): Uint32Array =>
  neighbours(graph, a).filter((node) => findEdge(graph, b, node) >= 0);

/** The common neighbours except the two nodes. */
const commonNeighbours = (graph: CompactGraph, a: number, b: number): Uint32Array =>
  sharedNeighbours(graph, a, b).filter((node) => node !== a && node !== b);

/** The pairs to score: those in the request, those of the source, or all without an edge. */
const pairsOf = (
  graph: CompactGraph,
  named: readonly (readonly [string, string])[] | null,
  { source, target, numberOf }: KernelRun,
): Either<string, (readonly [number, number])[]> => {
  const { nodeCount } = graph;
  if (named !== null) {
    const pairs: [number, number][] = [];
    for (const [a, b] of named) {
      const [from, to] = [numberOf(a), numberOf(b)];
      if (from === null || to === null)
        return left(`ebunch names ${from === null ? a : b}, which is not a node of this graph.`);
      pairs.push([from, to]);
    }
    return right(pairs);
  }
  if (source !== null && target !== null) return right([[source, target]]);
  const rows = source === null ? nodeCount : 1;
  if ((rows * nodeCount) / (source === null ? 2 : 1) > MAX_PAIRS) {
    return left(`There are more than ${MAX_PAIRS} pairs to score; name a source, or the pairs in ebunch.`);
  }
  const pairs: [number, number][] = [];
  for (let a = source ?? 0; a < (source ?? 0) + rows; a++) {
    for (let b = source === null ? a + 1 : 0; b < nodeCount; b++) {
      if (a !== b && findEdge(graph, a, b) < 0) pairs.push([a, b]);
    }
  }
  return right(pairs);
};

const predictor = (
  name: string,
  description: string,
  details: string,
  scorer: (graph: CompactGraph) => (a: number, b: number) => number,
) =>
  kernel({
    name,
    ...(name === 'common_neighbors' && { networkx: '`nx.common_neighbors(G, u, v)`' }),
    category: 'link_prediction',
    description,
    details: `${details} Scores the pairs in ebunch, the pair of source and target, or the pairs of source, or all pairs, that are not adjacent.`,
    returns: 'edge_predictions',
    graph: 'undirected',
    ends: 'optional',
    parameters: { ebunch: nodePairs('Pairs of node keys to score; null: pairs that are not joined.') },
    compute: (graph, { ebunch }, run) => {
      const pairs = pairsOf(graph, ebunch, run);
      if (isLeft(pairs)) return pairs;
      const score = scorer(graph);
      return {
        type: 'edge_predictions',
        scores: pairs.right.map(([a, b]): PairScore => [a, b, score(a, b)]),
      };
    },
  });

const summed =
  (graph: CompactGraph, share: (node: number) => number) =>
  (a: number, b: number): number =>
    commonNeighbours(graph, a, b).reduce((sum, node) => sum + share(node), 0);

export const LINK_PREDICTION: readonly Kernel[] = [
  predictor(
    'common_neighbors',
    'Number of common neighbours of two nodes.',
    'The two nodes themselves are not counted.',
    (graph) => summed(graph, () => 1),
  ),
  predictor(
    'jaccard_coefficient',
    'Jaccard coefficient of the neighbours of two nodes.',
    'Number of common neighbours divided by the number of all neighbours; 0 without neighbours.',
    (graph) => (a, b) => {
      const sum = neighbours(graph, a).length + neighbours(graph, b).length;
      const all = sum - sharedNeighbours(graph, a, b).length;
      return all === 0 ? 0 : commonNeighbours(graph, a, b).length / all;
    },
  ),
  predictor(
    'adamic_adar_index',
    'Common neighbours of two nodes, weighted by the logarithm of their degrees.',
    'Sum of 1 / log(degree) over the common neighbours.',
    (graph) => {
      const degrees = outDegrees(graph);
      return summed(graph, (node) => 1 / Math.log(degrees[node]!));
    },
  ),
  predictor(
    'resource_allocation_index',
    'Common neighbours of two nodes, weighted by their degrees.',
    'Sum of 1 / degree over the common neighbours.',
    (graph) => {
      const degrees = outDegrees(graph);
      return summed(graph, (node) => 1 / degrees[node]!);
    },
  ),
  predictor(
    'preferential_attachment',
    'Product of the degrees of two nodes.',
    'Self-loops count twice in a degree.',
    (graph) => {
      const degrees = outDegrees(graph);
      return (a, b) => degrees[a]! * degrees[b]!;
    },
  ),
];
