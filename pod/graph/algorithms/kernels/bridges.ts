import { type Kernel, kernel, nodeValues, SUMS, type WeightedEdge } from '../algorithm';
import { type CompactGraph, findEdge, weightOf } from '../graph/compact-graph';

interface Cuts {
  /** Parent and child in a depth-first search, if their edge is a bridge. */
  readonly bridges: readonly (readonly [number, number])[];
  /** 1 for articulation points. */
  readonly articulation: Uint32Array;
}

/** One depth-first search over the whole graph, with an explicit stack: a path may be as long as the graph is large. */
const findCuts = ({ nodeCount, offsets, targets }: CompactGraph): Cuts => {
  const bridges: [number, number][] = [];
  const articulation = new Uint32Array(nodeCount);
  const found = new Uint32Array(nodeCount);
  const low = new Uint32Array(nodeCount);
  const edges = offsets.slice(0, nodeCount);
  const calls = new Uint32Array(nodeCount + 1);
  let clock = 0;
  for (let root = 0; root < nodeCount; root++) {
    if (found[root] !== 0) continue;
    calls[0] = root;
    found[root] = low[root] = ++clock;
    let depth = 1;
    let rootChildren = 0;
    while (depth > 0) {
      const node = calls[depth - 1]!;
      const parent = depth > 1 ? calls[depth - 2]! : node;
      const edge = edges[node]!;
      if (edge < offsets[node + 1]!) {
        const target = targets[edge]!;
        edges[node] = edge + 1;
        if (target === node || target === parent) continue;
        if (found[target] !== 0) low[node] = Math.min(low[node]!, found[target]!);
        else {
          found[target] = low[target] = ++clock;
          calls[depth++] = target;
        }
        continue;
      }
      depth--;
      if (depth === 0) continue;
      low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node]! > found[parent]!) bridges.push([parent, node]);
      if (parent === root) rootChildren++;
      else if (low[node]! >= found[parent]!) articulation[parent] = 1;
    }
    if (rootChildren > 1) articulation[root] = 1;
  }
  return { bridges, articulation };
};

export const BRIDGES: readonly Kernel[] = [
  kernel({
    name: 'bridges',
    category: 'structure',
    description: 'Edges whose removal increases the number of connected components.',
    details: 'The smaller node is the source; sorted by node.',
    returns: 'edges',
    graph: 'undirected',
    weights: SUMS,
    compute: (graph) => {
      const edges = findCuts(graph).bridges.map(([a, b]): WeightedEdge => {
        return [Math.min(a, b), Math.max(a, b), weightOf(graph, findEdge(graph, a, b))];
      });
      return { type: 'edges', edges: edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
    },
  }),
  nodeValues({
    name: 'articulation_points',
    category: 'structure',
    description: 'Nodes whose removal increases the number of connected components.',
    details: 'The value of every node is true or false.',
    valueType: 'BOOL',
    graph: 'undirected',
    values: (graph) => findCuts(graph).articulation,
  }),
];
