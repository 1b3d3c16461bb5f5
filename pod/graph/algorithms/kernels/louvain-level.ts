import { buildCompactGraph, type CompactGraph, sourcesOf } from '../graph/compact-graph';
import { inStrengths, outStrengths } from '../graph/degrees';
import { nodesByGroup } from '../graph/partition';

/**
 * The current communities as nodes. The neighbours of a node are listed with the sum of the weights of both directions,
 * in any order; edges within a community are omitted, because moves do not depend on them.
 */
export interface Level extends Pick<CompactGraph, 'nodeCount' | 'offsets' | 'targets' | 'weights'> {
  /** Sum of the weights of the edges that leave each node, including self-loops. */
  readonly out: Float64Array;
  /** Sum of the weights of the edges that enter each node; null for an undirected graph. */
  readonly into: Float64Array | null;
}

export interface Communities {
  /** Number of the community of each node of the level. */
  readonly labels: Uint32Array;
  readonly count: number;
  /** Increase of the modularity; 0 if nodes were not moved. */
  readonly gain: number;
}

export const firstLevel = (graph: CompactGraph): Level => {
  const out = outStrengths(graph);
  if (!graph.directed) return { ...graph, out, into: null };
  const { nodeCount, offsets, targets, weights } = buildCompactGraph({
    nodeCount: graph.nodeCount,
    directed: false,
    from: sourcesOf(graph),
    to: graph.targets,
    weights: graph.weights ?? new Float64Array(graph.targets.length).fill(1),
  });
  return { nodeCount, offsets, targets, weights, out, into: inStrengths(graph) };
};

/** Communities become nodes; edges between the same two are added. */
export const aggregated = (level: Level, { labels, count }: Communities): Level => {
  const { nodeCount, offsets, targets, weights } = level;
  const summed = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(count);
    for (let node = 0; node < nodeCount; node++) sums[labels[node]!]! += values[node]!;
    return sums;
  };
  const members = nodesByGroup(labels, count);
  const starts = new Uint32Array(count + 1);
  // Maximum length; unwritten parts do not use memory.
  const neighbours = new Uint32Array(targets.length);
  const shared = new Float64Array(targets.length);
  /** Index of a community's entry in the current row, if it has one. */
  const entries = new Uint32Array(count);
  let size = 0;
  for (let group = 0, place = 0; group < count; group++) {
    const rowStart = size;
    for (; place < nodeCount && labels[members[place]!] === group; place++) {
      const node = members[place]!;
      const end = offsets[node + 1]!;
      for (let edge = offsets[node]!; edge < end; edge++) {
        const other = labels[targets[edge]!]!;
        if (other === group) continue;
        const weight = weights === null ? 1 : weights[edge]!;
        const entry = entries[other]!;
        if (entry >= rowStart && entry < size && neighbours[entry] === other) shared[entry]! += weight;
        else {
          entries[other] = size;
          neighbours[size] = other;
          shared[size++] = weight;
        }
      }
    }
    starts[group + 1] = size;
  }
  return {
    nodeCount: count,
    offsets: starts,
    targets: neighbours.subarray(0, size),
    weights: shared.subarray(0, size),
    out: summed(level.out),
    into: level.into === null ? null : summed(level.into),
  };
};
