import { nodeValues, rounds } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { numberedGroups } from '../graph/partition';
import { maxIter } from '../signature';

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
    const choose = createChooser(graph);
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

/** Returns a function for the most frequent label of a node's neighbours; a node without neighbours keeps its own. */
const createChooser = ({ nodeCount, offsets, targets }: CompactGraph) => {
  const counts = new Uint32Array(nodeCount);
  return (node: number, labels: Uint32Array): number => {
    const [first, end] = [offsets[node]!, offsets[node + 1]!];
    let [best, most] = [labels[node]!, 0];
    for (let edge = first; edge < end; edge++) {
      const label = labels[targets[edge]!]!;
      const count = ++counts[label]!;
      if (count > most || (count === most && label < best)) [best, most] = [label, count];
    }
    for (let edge = first; edge < end; edge++) counts[labels[targets[edge]!]!] = 0;
    return best;
  };
};
