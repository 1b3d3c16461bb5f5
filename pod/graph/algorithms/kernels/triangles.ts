import { commonNeighbours, nodeValues } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';

/**
 * Triangles through each node of an undirected graph, without self-loops. Every edge is directed to the node of higher
 * degree, or of equal degree and higher number, which limits the edges that leave a node; each triangle is then found
 * once, from its lowest corner.
 */
export const triangleCounts = (graph: CompactGraph): Uint32Array => {
  const { nodeCount } = graph;
  const { starts, higher } = towardsHigherDegree(graph);
  const counts = new Uint32Array(nodeCount);
  // One bit per node: the whole set fits into the nearest cache.
  const joined = new Uint32Array((nodeCount >>> 5) + 1);
  // The values read are kept, because otherwise the reads would be optimised away.
  const kept = new Uint32Array(AHEAD);
  for (let a = 0, fetched = 0; a < nodeCount; a++) {
    const start = starts[a]!;
    const end = starts[a + 1]!;
    if (end - start < 2) continue;
    if (end > fetched) fetched = fetchRows(starts, higher, start, Math.min(end + AHEAD, starts[nodeCount]!), kept);
    for (let edge = start; edge < end; edge++) joined[higher[edge]! >>> 5]! |= 1 << higher[edge]!;
    for (let edge = start; edge < end; edge++) {
      const b = higher[edge]!;
      const last = starts[b + 1]!;
      for (let next = starts[b]!; next < last; next++) {
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

/** Number of edges by which rows are prefetched. */
const AHEAD = 128;

/**
 * Reads the rows of the edges from `first` on, so that they are in the cache when needed. The processor overlaps these
 * reads, but waits for each read separately if the next one depends on its result. Returns the edge after the last one
 * read.
 */
const fetchRows = (
  starts: Uint32Array,
  higher: Uint32Array,
  first: number,
  last: number,
  kept: Uint32Array,
): number => {
  for (let edge = first; edge < last; edge++) kept[edge % AHEAD] = higher[starts[higher[edge]!]!]!;
  return last;
};

/** Half of the edges, in compressed rows like the graph. */
const towardsHigherDegree = ({ nodeCount, offsets, targets }: CompactGraph) => {
  const degrees = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) degrees[node] = offsets[node + 1]! - offsets[node]!;
  const higher = new Uint32Array(targets.length);
  const starts = new Uint32Array(nodeCount + 1);
  let size = 0;
  for (let node = 0; node < nodeCount; node++) {
    const degree = degrees[node]!;
    const last = offsets[node + 1]!;
    for (let edge = offsets[node]!; edge < last; edge++) {
      const other = targets[edge]!;
      const otherDegree = degrees[other]!;
      if (otherDegree > degree || (otherDegree === degree && other > node)) higher[size++] = other;
    }
    starts[node + 1] = size;
  }
  return { starts, higher };
};

export const TRIANGLES = nodeValues({
  name: 'triangles',
  aliases: ['triangle_count'],
  category: 'clustering',
  description: 'Number of triangles that contain a node.',
  details: 'Self-loops are ignored.',
  valueType: 'INT64',
  graph: 'undirected',
  steps: commonNeighbours,
  values: (graph) => triangleCounts(graph),
});
