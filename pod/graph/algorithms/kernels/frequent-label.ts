import { type CompactGraph } from '../graph/compact-graph';

/**
 * Returns a function for the most frequent label of a node's neighbours, of several the first by `precedes`; a node
 * without neighbours keeps its own.
 */
export const createChooser = (
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
