import { nodeValues, type WeightedEdge } from '../algorithm';
import { buildCompactGraph, type CompactGraph } from '../graph/compact-graph';
import { numberedGroups } from '../graph/partition';
import { whole } from '../signature';
import { edgeBetweenness } from './betweenness-centrality';
import { weakComponents } from './components';

export const GIRVAN_NEWMAN = nodeValues({
  name: 'girvan_newman',
  networkx: '`nx.community.girvan_newman(G)`',
  category: 'community',
  description: 'Communities that remain after the edges on most shortest paths are removed.',
  details:
    'Removes the edge with the largest betweenness until the number of components has increased levels times. For ties, the first edge is removed. Self-loops are ignored. Time is proportional to nodes times edges squared, so use it for small graphs.',
  valueType: 'INT64',
  graph: 'undirected',
  maxNodes: 2_000,
  parameters: { levels: whole({ default: 2, min: 1, description: 'Number of times that the communities are split.' }) },
  values: (given, { levels }, { progress }) => {
    const { nodeCount } = given;
    const all = new Uint32Array(nodeCount).map((_, node) => node);
    const withValue = (graph: CompactGraph): WeightedEdge[] => edgeBetweenness(graph, all, true, () => undefined);
    let edges = withValue(given).filter(([a, b]) => a !== b);
    let graph = graphOf(nodeCount, edges);
    let groups = weakComponents(graph);
    const first = new Set(groups).size;
    let split = 0;
    const total = edges.length;
    while (split < levels && edges.length > 0) {
      edges = withValue(graph);
      edges.splice(firstLargest(edges), 1);
      graph = graphOf(nodeCount, edges);
      const next = weakComponents(graph);
      if (new Set(next).size > new Set(groups).size) split++;
      groups = next;
      progress(Math.max((total - edges.length) / total, (new Set(groups).size - first) / levels));
    }
    return numberedGroups(groups);
  },
});

/** Betweenness values that differ only by rounding are equal. */
const firstLargest = (edges: readonly WeightedEdge[]): number => {
  const most = edges.reduce((largest, [, , value]) => Math.max(largest, value), 0);
  return edges.findIndex(([, , value]) => value >= most * (1 - 1e-12));
};

const graphOf = (nodeCount: number, edges: readonly WeightedEdge[]): CompactGraph =>
  buildCompactGraph({
    nodeCount,
    directed: false,
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: null,
  });
