import { type Kernel, nodeValues, scalar } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { numberedGroups } from '../graph/partition';

const UNREACHED = 0xffffffff;

/** The group of each node, ignoring the direction of edges: the smallest node of the group. */
export const weakComponents = ({ nodeCount, directed, offsets, targets }: CompactGraph): Uint32Array => {
  // Every node points to a smaller one of its group, or to itself; paths are halved during lookups.
  const parents = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) parents[node] = node;
  for (let node = 0; node < nodeCount; node++) {
    let root = node;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    const end = offsets[node + 1]!;
    for (let edge = offsets[node]!; edge < end; edge++) {
      let other = targets[edge]!;
      // An undirected edge is listed at both ends.
      if (!directed && other > node) break;
      let above = parents[other]!;
      if (above === root) continue;
      while (above !== other) {
        const next = parents[above]!;
        parents[other] = next;
        other = next;
        above = parents[other]!;
      }
      if (other < root) {
        parents[root] = other;
        root = other;
      } else parents[other] = root;
    }
  }
  for (let node = 0; node < nodeCount; node++) parents[node] = parents[parents[node]!]!;
  return parents;
};

/** Tarjan's algorithm with an explicit stack: a path may be as long as the graph is large. */
const strongComponents = ({ nodeCount, offsets, targets }: CompactGraph): Uint32Array => {
  const labels = new Uint32Array(nodeCount).fill(UNREACHED);
  const found = new Uint32Array(nodeCount);
  const low = new Uint32Array(nodeCount);
  const edges = offsets.slice(0, nodeCount);
  const open = new Uint32Array(nodeCount);
  const calls = new Uint32Array(nodeCount);
  let [clock, openSize, label] = [0, 0, 0];
  for (let start = 0; start < nodeCount; start++) {
    if (found[start] !== 0) continue;
    calls[0] = start;
    let depth = 1;
    while (depth > 0) {
      const node = calls[depth - 1]!;
      if (found[node] === 0) {
        found[node] = low[node] = ++clock;
        open[openSize++] = node;
      }
      const edge = edges[node]!;
      if (edge < offsets[node + 1]!) {
        const target = targets[edge]!;
        edges[node] = edge + 1;
        if (found[target] === 0) calls[depth++] = target;
        else if (labels[target] === UNREACHED) low[node] = Math.min(low[node]!, found[target]!);
        continue;
      }
      depth--;
      if (depth > 0) low[calls[depth - 1]!] = Math.min(low[calls[depth - 1]!]!, low[node]!);
      if (low[node] !== found[node]) continue;
      for (let member = UNREACHED; member !== node;) {
        member = open[--openSize]!;
        labels[member] = label;
      }
      label++;
    }
  }
  return labels;
};

const shared = { category: 'components', valueType: 'INT64' } as const;

const NUMBERS = 'Groups are numbered from 0 by decreasing size, then by their smallest key.';

export const CONNECTED_COMPONENTS = nodeValues({
  ...shared,
  name: 'connected_components',
  networkx: '`nx.connected_components(M)`',
  description: 'Connected components: nodes that paths connect.',
  details: NUMBERS,
  graph: 'undirected',
  values: (graph) => numberedGroups(weakComponents(graph)),
});

export const WEAK_COMPONENTS = nodeValues({
  ...shared,
  name: 'weakly_connected_components',
  networkx: '`nx.weakly_connected_components(M)`',
  aliases: ['wcc'],
  description: 'Weakly connected components: nodes that paths connect if directions are ignored.',
  details: NUMBERS,
  graph: 'directed',
  values: (graph) => numberedGroups(weakComponents(graph)),
});

export const COMPONENTS: readonly Kernel[] = [
  CONNECTED_COMPONENTS,
  WEAK_COMPONENTS,
  nodeValues({
    ...shared,
    name: 'strongly_connected_components',
    networkx: '`nx.strongly_connected_components(M)`',
    aliases: ['scc'],
    description: 'Strongly connected components: nodes that can reach each other along the directions of edges.',
    details: NUMBERS,
    graph: 'directed',
    values: (graph) => numberedGroups(strongComponents(graph)),
  }),
  scalar({
    name: 'number_connected_components',
    networkx: '`nx.number_connected_components(M)`',
    category: 'components',
    description: 'Number of connected components.',
    details: 'Directions are ignored.',
    graph: 'undirected',
    value: (graph) => countOfGroups(weakComponents(graph)),
  }),
  scalar({
    name: 'is_connected',
    networkx: '`nx.is_connected(M)`',
    category: 'components',
    description: 'Whether all nodes can reach each other if directions are ignored.',
    details: 'False for a graph without nodes.',
    graph: 'undirected',
    value: (graph) => countOfGroups(weakComponents(graph)) === 1,
  }),
];

/** Number of groups, each of which has the number of one of its nodes. */
const countOfGroups = (groups: Uint32Array): number =>
  groups.reduce((count, group, node) => (group === node ? count + 1 : count), 0);
