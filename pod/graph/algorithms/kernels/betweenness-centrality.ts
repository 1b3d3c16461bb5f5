import { type Kernel, kernel, nodeValues, PATHS, searches, type WeightedEdge } from '../algorithm';
import { type CompactGraph, findEdge, sourcesOf } from '../graph/compact-graph';
import { createRandom, sample } from '../graph/random';
import { createShortestSteps } from '../graph/shortest-steps';
import { flag, seed, whole, wholeOrNull } from '../signature';

const k = wholeOrNull({
  default: null,
  min: 1,
  description: 'Number of nodes to start from, chosen at random, for an estimate; null: all, which is exact.',
});
const normalized = flag({ default: true, description: 'Divide by the number of pairs of nodes.' });

/** Sums, over sources and targets, the share of shortest paths through each node and each edge entry. */
const accumulate = (
  graph: CompactGraph,
  sources: Uint32Array,
  endpoints: boolean,
  progress: (share: number) => void,
  byEdge: Float64Array | null,
): Float64Array => {
  const through = new Float64Array(graph.nodeCount);
  const steps = createShortestSteps(graph);
  const { order, ends, edges, paths } = steps;
  // Per node: (1 + its dependency) / its number of paths.
  const shares = new Float64Array(graph.nodeCount);
  for (const [done, source] of sources.entries()) {
    const reached = steps.from(source);
    if (endpoints) through[source]! += reached - 1;
    // Backwards from the farthest node, the dependency of each step's target is complete before a node adds its share
    // of it.
    for (let place = reached - 1; place >= 0; place--) {
      const node = order[place]!;
      const ways = paths[node]!;
      const end = ends[place]!;
      let behind = 0;
      for (let step = place === 0 ? 0 : ends[place - 1]!; step < end; step++) {
        const edge = edges[step]!;
        const share = ways * shares[graph.targets[edge]!]!;
        behind += share;
        if (byEdge !== null) byEdge[edge]! += share;
      }
      shares[node] = (1 + behind) / ways;
      if (place > 0) through[node]! += behind + (endpoints ? 1 : 0);
    }
    progress(done / sources.length);
  }
  return through;
};

const chosen = ({ nodeCount }: CompactGraph, wanted: number | null, start: number | null): Uint32Array =>
  sample(nodeCount, wanted ?? nodeCount, createRandom(start));

export const BETWEENNESS: readonly Kernel[] = [
  nodeValues({
    name: 'betweenness_centrality',
    networkx: '`nx.betweenness_centrality(M, weight=w)`',
    aliases: ['betweenness'],
    category: 'centrality',
    description: 'Fraction of the shortest paths between other nodes that pass through a node.',
    details:
      "Brandes' algorithm. With k it is estimated from the paths of k random nodes; sampled nodes and the others are scaled separately, as in NetworkX since 3.5. With a weight_property paths are compared by total weight. Time is proportional to k times edges.",
    weights: PATHS,
    parameters: {
      k,
      normalized,
      endpoints: flag({ default: false, description: 'Include the end nodes of paths.' }),
      seed,
    },
    steps: (size, { k: from }) => searches(size, from),
    values: (graph, parameters, { progress }) => {
      const sources = chosen(graph, parameters.k, parameters.seed);
      const values = accumulate(graph, sources, parameters.endpoints, progress, null);
      return rescaled(graph, values, sources, parameters);
    },
  }),
  kernel({
    name: 'edge_betweenness_centrality',
    networkx: '`nx.edge_betweenness_centrality(M, weight=w)`, added over parallel edges',
    aliases: ['edge_betweenness'],
    category: 'centrality',
    description: 'Fraction of all shortest paths that pass through an edge.',
    details: 'The weight of each returned edge is its betweenness. With k it is estimated from k random nodes.',
    returns: 'edges',
    weights: PATHS,
    maxNodes: 100_000,
    parameters: { k, normalized, seed },
    steps: (size, { k: from }) => searches(size, from),
    compute: (graph, parameters, { progress }) => {
      const sources = chosen(graph, parameters.k, parameters.seed);
      return { type: 'edges', edges: edgeBetweenness(graph, sources, parameters.normalized, progress) };
    },
  }),
];

export const SAMPLED_BETWEENNESS = nodeValues({
  name: 'betweenness',
  category: 'centrality',
  description:
    'Number of shortest paths from random start nodes that pass through a node, along the directions of edges: Brandes’s sum over the start nodes. It is not normalized, and not scaled from the start nodes to all nodes.',
  graph: 'directed',
  parameters: {
    sampling_size: whole({ default: 32, min: 1, max: 1_000_000, description: 'Number of nodes to start from.' }),
    sampling_seed: seed,
  },
  steps: (size, { sampling_size: from }) => searches(size, from),
  values: (graph, { sampling_size: size, sampling_seed: start }, { progress }) =>
    accumulate(graph, chosen(graph, size, start), false, progress, null),
});

/** Betweenness of every edge, in the order of the graph; edges of an undirected graph once, smaller node first. */
export const edgeBetweenness = (
  graph: CompactGraph,
  sources: Uint32Array,
  normal: boolean,
  progress: (share: number) => void,
): WeightedEdge[] => {
  const { nodeCount, directed, targets } = graph;
  const byEdge = new Float64Array(targets.length);
  accumulate(graph, sources, false, progress, byEdge);
  const scale = normal ? 1 / (sources.length * (nodeCount - 1)) : nodeCount / (sources.length * (directed ? 1 : 2));
  const factor = nodeCount < 2 ? 1 : scale;
  const edges: WeightedEdge[] = [];
  for (const [edge, from] of sourcesOf(graph).entries()) {
    const to = targets[edge]!;
    if (!directed && to < from) continue;
    const back = directed || to === from ? 0 : byEdge[findEdge(graph, to, from)]!;
    edges.push([from, to, (byEdge[edge]! + back) * factor]);
  }
  return edges;
};

/** NetworkX's `_rescale`: number of pairs a node can lie between, separately for sampled nodes if ends do not count. */
const rescaled = (
  { nodeCount, directed }: CompactGraph,
  values: Float64Array,
  sources: Uint32Array,
  {
    k: wanted,
    normalized: normal,
    endpoints,
  }: { readonly k: number | null; readonly normalized: boolean; readonly endpoints: boolean },
): Float64Array => {
  const pairs = endpoints ? nodeCount : nodeCount - 1;
  if (pairs < 2) return values;
  const correction = directed ? 1 : 2;
  const scale = (from: number): number => (normal ? 1 / (from * (pairs - 1)) : pairs / (from * correction));
  const sampled = wanted !== null && wanted < nodeCount;
  if (!sampled) return values.map((value) => value * scale(pairs));
  if (endpoints) return values.map((value) => value * scale(sources.length));
  const isSource = new Uint8Array(nodeCount);
  for (const source of sources) isSource[source] = 1;
  const ofSource = sources.length > 1 ? scale(sources.length - 1) : NaN;
  const ofOthers = scale(sources.length);
  return values.map((value, node) => value * (isSource[node] === 1 ? ofSource : ofOthers));
};
