import { isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../../../../domain/kernel/either';
import { DISTANCES, type Kernel, kernel, type KernelRun, nodeValues, type PairScore, scalar } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { createSearch, type Search } from '../graph/search';

const DETAILS =
  'By the number of edges (breadth-first), or with a weight_property by the sum of weights (Dijkstra), which must not be negative. ';

/** Searches from the source to the target of a run, or to all nodes without a target. */
const searched = (graph: CompactGraph, { source, target }: Pick<KernelRun, 'source' | 'target'>) => {
  if (source === null) return left('source is missing.');
  const search = createSearch(graph);
  search.from(source, target ?? undefined);
  const end = target ?? source;
  return right({ source, target: end, search, distance: search.distances[end]! });
};

const walkedBack = ({ previous }: Search, source: number, target: number): number[] => {
  const path = [target];
  for (let node = target; node !== source;) {
    node = previous[node]!;
    path.push(node);
  }
  return path.reverse();
};

const NO_PATH = 'There is no path from source to target.';

export const SHORTEST_PATH = kernel({
  name: 'shortest_path',
  networkx: '`nx.shortest_path(M, source, target, weight=w)`; another path of the same length is possible',
  aliases: ['dijkstra_path', 'bidirectional_shortest_path'],
  category: 'paths',
  description: 'Shortest path between two nodes.',
  details: `${DETAILS}The run fails if no path exists. length is the number of edges, total_weight the sum of their weights.`,
  returns: 'path',
  ends: 'source and target',
  weights: DISTANCES,
  compute: (graph, _, run) => {
    const found = searched(graph, run);
    if (isLeft(found)) return found;
    const { source, target, search, distance } = found.right;
    if (distance === Infinity) return left(NO_PATH);
    return { type: 'path', nodes: walkedBack(search, source, target), totalWeight: distance };
  },
});

export const SHORTEST_PATHS: readonly Kernel[] = [
  SHORTEST_PATH,
  scalar({
    name: 'shortest_path_length',
    networkx: '`nx.shortest_path_length(M, source, target, weight=w)`',
    aliases: ['dijkstra_path_length'],
    category: 'paths',
    description: 'Length of a shortest path between two nodes.',
    details: `${DETAILS}The run fails if no path exists.`,
    ends: 'source and target',
    weights: DISTANCES,
    value: (graph, _, run) => {
      const found = searched(graph, run);
      if (isLeft(found)) return found;
      const { distance: value } = found.right;
      return value === Infinity ? left(NO_PATH) : value;
    },
  }),
  scalar({
    name: 'has_path',
    networkx: '`nx.has_path(M, source, target)`',
    category: 'paths',
    description: 'Whether a path from one node to another exists.',
    details: 'In a directed graph, along the directions of edges.',
    ends: 'source and target',
    value: (graph, _, run) => mapRight(searched(graph, run), ({ distance }) => distance !== Infinity),
  }),
  nodeValues({
    name: 'single_source_shortest_path_length',
    networkx: '`nx.single_source_dijkstra_path_length(M, source, weight=w)`',
    aliases: ['single_source_dijkstra_path_length'],
    category: 'paths',
    description: 'Distances of all nodes from a source node.',
    details: `${DETAILS}Nodes that cannot be reached have Infinity.`,
    ends: 'source',
    weights: DISTANCES,
    values: (graph, _, { source }) =>
      mapRight(searched(graph, { source, target: null }), ({ search }) => search.distances),
  }),
  kernel({
    name: 'all_pairs_shortest_path_length',
    networkx: '`nx.all_pairs_dijkstra_path_length(M, weight=w)`',
    aliases: ['all_pairs_dijkstra_path_length'],
    category: 'paths',
    description: 'Distances between all pairs of nodes with a path.',
    details: `${DETAILS}One score per ordered pair, including each node with itself.`,
    returns: 'edge_predictions',
    weights: DISTANCES,
    maxNodes: 1_000,
    compute: (graph, _, { progress }) => {
      const search = createSearch(graph);
      const scores: PairScore[] = [];
      for (let source = 0; source < graph.nodeCount; source++) {
        const reached = search.from(source);
        for (const node of search.order.slice(0, reached).sort()) scores.push([source, node, search.distances[node]!]);
        progress(source / graph.nodeCount);
      }
      return { type: 'edge_predictions', scores };
    },
  }),
];
