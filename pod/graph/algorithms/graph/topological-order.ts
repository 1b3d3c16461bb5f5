import { buildCompactGraph, type CompactGraph } from './compact-graph';
import { inDegrees } from './degrees';

/** Nodes generation by generation; incomplete if there is a cycle. */
export const generations = (graph: CompactGraph): Uint32Array => {
  const { nodeCount, offsets, targets } = graph;
  const waiting = Uint32Array.from(inDegrees(graph));
  const order = new Uint32Array(nodeCount);
  let size = 0;
  for (let node = 0; node < nodeCount; node++) if (waiting[node] === 0) order[size++] = node;
  for (let place = 0; place < size; place++) {
    const node = order[place]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const target = targets[edge]!;
      if (--waiting[target]! === 0) order[size++] = target;
    }
  }
  return order.subarray(0, size);
};

export const isAcyclic = (graph: CompactGraph): boolean => generations(graph).length === graph.nodeCount;

/** Whether edges, by the numbers of their ends, form no directed cycle. */
export const areAcyclic = (from: readonly number[], to: readonly number[]): boolean => {
  let nodeCount = 0;
  for (const ends of [from, to]) for (const node of ends) nodeCount = Math.max(nodeCount, node + 1);
  const edges = { nodeCount, directed: true, from: Uint32Array.from(from), to: Uint32Array.from(to), weights: null };
  return isAcyclic(buildCompactGraph(edges));
};
