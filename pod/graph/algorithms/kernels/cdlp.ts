import { nodeValues, rounds } from '../algorithm';
import { numberedGroups } from '../graph/partition';
import { maxIter } from '../signature';
import { createChooser } from './frequent-label';

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
