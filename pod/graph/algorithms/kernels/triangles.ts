import { right } from 'fp-ts/Either';
import { type CompactGraph } from '../graph/compact-graph';
import { kernel } from '../kernel';

/**
 * Triangles through each node of an undirected graph, self-loops left out. Every edge points to the node of higher
 * degree, or of equal degree and higher number, which bounds how many edges leave a node; each triangle is then found
 * once, from its lowest corner.
 */
export const triangleCounts = (graph: CompactGraph): Uint32Array => {
  const { nodeCount, offsets } = graph;
  const { higher, ends } = towardsHigherDegree(graph);
  const counts = new Uint32Array(nodeCount);
  // One bit per node: the whole set stays in the nearest cache.
  const joined = new Uint32Array((nodeCount >>> 5) + 1);
  for (let a = 0; a < nodeCount; a++) {
    const start = offsets[a]!;
    const end = ends[a]!;
    if (end - start < 2) continue;
    for (let edge = start; edge < end; edge++) joined[higher[edge]! >>> 5]! |= 1 << higher[edge]!;
    for (let edge = start; edge < end; edge++) {
      const b = higher[edge]!;
      const last = ends[b]!;
      for (let next = offsets[b]!; next < last; next++) {
        const c = higher[next]!;
        if (((joined[c >>> 5]! >>> c) & 1) === 0) continue;
        counts[a]!++;
        counts[b]!++;
        counts[c]!++;
      }
    }
    for (let edge = start; edge < end; edge++) joined[higher[edge]! >>> 5] = 0;
  }
  return counts;
};

/** Half of the edges: those of a node begin at its offset, as in the graph, and end where `ends` says. */
const towardsHigherDegree = ({ nodeCount, offsets, targets }: CompactGraph) => {
  const degrees = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) degrees[node] = offsets[node + 1]! - offsets[node]!;
  const higher = new Uint32Array(targets.length);
  const ends = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    const degree = degrees[node]!;
    const last = offsets[node + 1]!;
    let end = offsets[node]!;
    for (let edge = end; edge < last; edge++) {
      const other = targets[edge]!;
      const otherDegree = degrees[other]!;
      if (otherDegree > degree || (otherDegree === degree && other > node)) higher[end++] = other;
    }
    ends[node] = end;
  }
  return { higher, ends };
};

export const TRIANGLES = kernel({
  name: 'triangles',
  aliases: ['triangle_count'],
  category: 'clustering',
  description: 'Number of triangles a node is a corner of.',
  details: 'Self-loops are left out.',
  returns: 'node_values',
  valueType: 'INT64',
  graph: 'undirected',
  compute: (graph) => right({ type: 'node_values', values: triangleCounts(graph) }),
});
