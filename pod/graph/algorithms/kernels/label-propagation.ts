import { left } from 'fp-ts/Either';
import { nodeValues, rounds } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { outDegrees } from '../graph/degrees';
import { nodesByGroup, numberedGroups } from '../graph/partition';
import { maxIter } from '../signature';

export const LABEL_PROPAGATION_COMMUNITIES = nodeValues({
  name: 'label_propagation_communities',
  networkx: '`nx.community.label_propagation_communities(G)`',
  aliases: ['label_propagation'],
  category: 'community',
  description: 'Communities by label propagation: each node has the most frequent label of its neighbours.',
  details:
    'Semi-synchronous (Cordasco and Gargano): nodes of one colour of a graph colouring change together; for ties the node keeps its label if possible, otherwise the largest wins. Ends when no label changes. Groups are numbered from 0 by decreasing size, then by their smallest key.',
  valueType: 'INT64',
  graph: 'undirected',
  parameters: { max_iter: maxIter(100) },
  steps: (size) => rounds(size, 5),
  values: (graph, { max_iter: most }, { progress }) => {
    const labels = new Uint32Array(graph.nodeCount).map((_, node) => node);
    const order = byColour(graph);
    const settled = new Uint8Array(graph.nodeCount);
    // The node's own if it is among the most frequent, otherwise the largest.
    const choose = createChooser(graph, (label, other, own) => label === own || (other !== own && label > other));
    for (let iteration = 0; iteration < most; iteration++) {
      let changes = 0;
      for (const node of order) {
        // A node whose neighbours have kept their labels since its last choice would choose the same again.
        if (settled[node] === 1) continue;
        settled[node] = 1;
        const label = choose(node, labels);
        if (label === labels[node]) continue;
        labels[node] = label;
        changes++;
        for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++)
          settled[graph.targets[edge]!] = 0;
      }
      if (changes === 0) return numberedGroups(labels);
      progress(iteration / most);
    }
    return left(`label_propagation_communities has not settled within ${most} iterations; raise max_iter.`);
  },
});

export const CDLP = nodeValues({
  name: 'cdlp',
  category: 'community',
  description:
    'Communities by synchronous label propagation: every node begins in a community of its own and in each step joins the most frequent one of its neighbours, the lowest for ties. Directions, parallel edges and weights are ignored. Communities are numbered from 0 by decreasing size.',
  valueType: 'INT64',
  graph: 'undirected',
  parameters: { max_iterations: { ...maxIter(10), aliases: [] } },
  steps: (size, { max_iterations: most }) => rounds(size, most),
  values: (graph, { max_iterations: most }, { progress }) => {
    const choose = createChooser(graph, (label, other) => label < other);
    let labels = new Uint32Array(graph.nodeCount).map((_, node) => node);
    for (let iteration = 0, hasChanged = true; hasChanged && iteration < most; iteration++) {
      const before = labels;
      labels = before.map((_, node) => choose(node, before));
      hasChanged = labels.some((label, node) => label !== before[node]);
      progress(iteration / most);
    }
    return numberedGroups(labels);
  },
});

/**
 * Returns a function for the most frequent label of a node's neighbours, of several the first by `precedes`; a node
 * without neighbours keeps its own.
 */
const createChooser = (
  { nodeCount, offsets, targets }: CompactGraph,
  precedes: (label: number, other: number, own: number) => boolean,
) => {
  const counts = new Uint32Array(nodeCount);
  return (node: number, labels: Uint32Array): number => {
    const [first, end] = [offsets[node]!, offsets[node + 1]!];
    const own = labels[node]!;
    let [best, most] = [own, 0];
    for (let edge = first; edge < end; edge++) {
      const label = labels[targets[edge]!]!;
      const count = ++counts[label]!;
      if (count > most || (count === most && precedes(label, best, own))) [best, most] = [label, count];
    }
    for (let edge = first; edge < end; edge++) counts[labels[targets[edge]!]!] = 0;
    return best;
  };
};

/**
 * Nodes by the colours of NetworkX's greedy colouring: nodes in the order of decreasing degree receive the least free
 * colour.
 */
const byColour = (graph: CompactGraph): Uint32Array => {
  const { nodeCount, offsets, targets } = graph;
  const degrees = Uint32Array.from(outDegrees(graph));
  const most = degrees.reduce((a, b) => Math.max(a, b), 0);
  const byDegree = nodesByGroup(
    degrees.map((value) => most - value),
    most + 1,
  );
  const colours = new Int32Array(nodeCount).fill(-1);
  const takenBy = new Int32Array(most + 2).fill(-1);
  let colourCount = 0;
  for (const node of byDegree) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const colour = colours[targets[edge]!]!;
      if (colour >= 0) takenBy[colour] = node;
    }
    let colour = 0;
    while (takenBy[colour] === node) colour++;
    colours[node] = colour;
    colourCount = Math.max(colourCount, colour + 1);
  }
  // NetworkX iterates over the colours in the order of their first appearance, which is ascending from 0.
  return nodesByGroup(Uint32Array.from(colours), colourCount);
};
