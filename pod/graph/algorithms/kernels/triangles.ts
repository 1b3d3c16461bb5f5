import { right } from 'fp-ts/Either';
import { type CompactGraph } from '../graph/compact-graph';
import { kernel } from '../kernel';

/**
 * Triangles through each node of an undirected graph, self-loops left out. Every edge points from the node of lower to
 * the one of higher degree, which bounds how many edges leave a node; each triangle is then found once.
 */
export const triangleCounts = ({ nodeCount, offsets, targets }: CompactGraph): Uint32Array => {
  const rank = ranksByDegree(nodeCount, offsets);
  const starts = new Uint32Array(nodeCount + 1);
  // Nodes are renumbered by rank: `targets` of a rank are the higher ranks it is joined to.
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      if (rank[targets[edge]!]! > rank[node]!) starts[rank[node]! + 1]!++;
    }
  }
  for (let place = 0; place < nodeCount; place++) starts[place + 1]! += starts[place]!;
  const higher = new Uint32Array(starts[nodeCount]!);
  const next = starts.slice(0, nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const other = rank[targets[edge]!]!;
      if (other > rank[node]!) higher[next[rank[node]!]!++] = other;
    }
  }
  const counts = new Uint32Array(nodeCount);
  const seenBy = new Uint32Array(nodeCount);
  for (let a = 0; a < nodeCount; a++) {
    const end = starts[a + 1]!;
    if (end - starts[a]! < 2) continue;
    for (let edge = starts[a]!; edge < end; edge++) seenBy[higher[edge]!] = a + 1;
    for (let edge = starts[a]!; edge < end; edge++) {
      const b = higher[edge]!;
      for (let last = starts[b]!; last < starts[b + 1]!; last++) {
        const c = higher[last]!;
        if (seenBy[c] !== a + 1) continue;
        counts[a]!++;
        counts[b]!++;
        counts[c]!++;
      }
    }
  }
  return counts.map((_, node) => counts[rank[node]!]!);
};

/** Place of each node in the order of degree. */
const ranksByDegree = (nodeCount: number, offsets: Uint32Array): Uint32Array => {
  let most = 0;
  for (let node = 0; node < nodeCount; node++) most = Math.max(most, offsets[node + 1]! - offsets[node]!);
  const starts = new Uint32Array(most + 2);
  for (let node = 0; node < nodeCount; node++) starts[offsets[node + 1]! - offsets[node]! + 1]!++;
  for (let degree = 0; degree <= most; degree++) starts[degree + 1]! += starts[degree]!;
  const rank = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) rank[node] = starts[offsets[node + 1]! - offsets[node]!]!++;
  return rank;
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
