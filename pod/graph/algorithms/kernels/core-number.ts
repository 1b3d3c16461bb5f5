import { nodeValues } from '../algorithm';
import { type CompactGraph, reversed } from '../graph/compact-graph';

export const CORE_NUMBER = nodeValues({
  name: 'core_number',
  networkx: '`nx.core_number(G)` without self-loops',
  aliases: ['k_core_decomposition'],
  category: 'cores',
  description:
    'Largest k for which a node is in the k-core: the subgraph whose nodes have at least k neighbours in it.',
  details:
    'In a directed graph the edges of both directions count; a pair of opposite edges counts twice. Self-loops are ignored.',
  valueType: 'INT64',
  values: (graph) => {
    const sides = graph.directed ? [graph, reversed(graph)] : [graph];
    return peel(graph.nodeCount, sides);
  },
});

/**
 * Removes the nodes of degree k, and those whose degree falls to k by that, for k = 0, 1, …; the remaining nodes are
 * scanned for each k. A remaining node has a degree of at least k, so the total of all scans is at most the number of
 * edges.
 */
const peel = (nodeCount: number, sides: readonly CompactGraph[]): Uint32Array => {
  const degrees = new Uint32Array(nodeCount);
  for (const { offsets, targets } of sides) {
    for (let node = 0; node < nodeCount; node++) {
      const end = offsets[node + 1]!;
      let degree = degrees[node]! + end - offsets[node]!;
      for (let edge = offsets[node]!; edge < end; edge++) if (targets[edge] === node) degree--;
      degrees[node] = degree;
    }
  }
  const left = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) left[node] = node;
  const queue = new Uint32Array(nodeCount);
  let leftCount = nodeCount;
  for (let k = 0; leftCount > 0; k++) {
    let size = 0;
    let kept = 0;
    for (let place = 0; place < leftCount; place++) {
      const node = left[place]!;
      const degree = degrees[node]!;
      if (degree === k) queue[size++] = node;
      else if (degree > k) left[kept++] = node;
    }
    leftCount = kept;
    for (let place = 0; place < size; place++) {
      const node = queue[place]!;
      for (const { offsets, targets } of sides) {
        const end = offsets[node + 1]!;
        for (let edge = offsets[node]!; edge < end; edge++) {
          const other = targets[edge]!;
          const degree = degrees[other]!;
          if (degree <= k) continue;
          degrees[other] = degree - 1;
          if (degree - 1 === k) queue[size++] = other;
        }
      }
    }
  }
  return degrees;
};
