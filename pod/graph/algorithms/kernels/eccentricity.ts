import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../../../../domain/kernel/either';
import { DISTANCES, type GraphSize, type Kernel, type KernelRun, nodeValues, scalar, searches } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { createSearch } from '../graph/search';

interface Reach {
  readonly farthest: Float64Array;
  /** Sum of all distances. */
  readonly total: number;
}

const explore = (graph: CompactGraph, { progress }: KernelRun): Either<string, Reach> => {
  const search = createSearch(graph);
  const farthest = new Float64Array(graph.nodeCount);
  let total = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    const reached = search.from(node);
    if (reached < graph.nodeCount) {
      const kind = graph.directed ? 'strongly connected' : 'connected';
      return left(`The graph is not ${kind}, so distances are infinite; choose a part of it.`);
    }
    for (let place = 0; place < reached; place++) total += search.distances[search.order[place]!]!;
    farthest[node] = search.distances[search.order[reached - 1]!]!;
    progress(node / graph.nodeCount);
  }
  return right({ farthest, total });
};

const shared = { category: 'paths', weights: DISTANCES, steps: (size: GraphSize) => searches(size, null) } as const;
const DETAILS =
  'The graph must be connected; a directed graph, strongly connected. With a weight_property distances are sums of weights. Time is proportional to nodes times edges.';

const ofReach = (name: string, description: string, of: (reach: Reach, nodeCount: number) => number) =>
  scalar({
    ...shared,
    name,
    networkx: `\`nx.${name}(M, weight=w)\``,
    description,
    details: DETAILS,
    value: (graph, _, run) => {
      const reach = explore(graph, run);
      if (isLeft(reach)) return reach;
      if (graph.nodeCount === 0) return left('A graph without nodes has no distances.');
      return of(reach.right, graph.nodeCount);
    },
  });

export const ECCENTRICITY: readonly Kernel[] = [
  nodeValues({
    ...shared,
    name: 'eccentricity',
    networkx: '`nx.eccentricity(M, weight=w)`',
    description: 'Largest distance from a node to another node.',
    details: DETAILS,
    values: (graph, _, run) => mapRight(explore(graph, run), ({ farthest }) => farthest),
  }),
  ofReach('diameter', 'Largest distance between two nodes of the graph.', ({ farthest }) =>
    farthest.reduce((a, b) => Math.max(a, b)),
  ),
  ofReach('radius', 'Smallest eccentricity of a node.', ({ farthest }) => farthest.reduce((a, b) => Math.min(a, b))),
  ofReach('average_shortest_path_length', 'Average distance between two nodes.', ({ total }, nodeCount) =>
    nodeCount === 1 ? 0 : total / (nodeCount * (nodeCount - 1)),
  ),
];
