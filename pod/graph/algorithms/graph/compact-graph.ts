/**
 * A graph in typed arrays (compressed sparse rows): the neighbours of node `v` are `targets[offsets[v]] …
 * targets[offsets[v + 1] - 1]`, ascending, without duplicates. Nodes are numbered from 0 in the order of their keys. A
 * directed graph lists the targets of edges; an undirected one lists every edge at both of its ends, and a self-loop
 * once.
 */
export interface CompactGraph {
  readonly nodeCount: number;
  readonly directed: boolean;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** One per target; null if every edge has the weight 1. */
  readonly weights: Float64Array | null;
}

export interface EdgeList {
  readonly nodeCount: number;
  readonly directed: boolean;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly weights: Float64Array | null;
}

/** The weight of an edge of several rows. */
export type ParallelWeights = 'sum' | 'least' | 'greatest';

const COMBINED: Readonly<Record<ParallelWeights, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  least: Math.min,
  greatest: Math.max,
};

/** Builds the graph in linear time. Rows of the same pair (ordered if the graph is directed) become one edge. */
export const buildCompactGraph = (edges: EdgeList, parallel: ParallelWeights = 'sum'): CompactGraph =>
  merged(turned(rowsByTarget(edges)), COMBINED[parallel]);

/** The graph with all edges reversed; an undirected graph is returned unchanged. */
export const reversed = (graph: CompactGraph): CompactGraph => (graph.directed ? turned(graph) : graph);

/** The source node of each entry of `targets`. */
export const sourcesOf = ({ nodeCount, offsets, targets }: CompactGraph): Uint32Array => {
  const sources = new Uint32Array(targets.length);
  for (let node = 0; node < nodeCount; node++) sources.fill(node, offsets[node], offsets[node + 1]);
  return sources;
};

export const edgeCount = (graph: CompactGraph): number => {
  const { directed, targets } = graph;
  if (directed) return targets.length;
  const loops = sourcesOf(graph).filter((source, entry) => source === targets[entry]);
  return (targets.length + loops.length) / 2;
};

export const weightOf = ({ weights }: CompactGraph, edge: number): number => (weights === null ? 1 : weights[edge]!);

/** The index of an edge, by binary search. */
export const findEdge = ({ offsets, targets }: CompactGraph, from: number, to: number): number => {
  let low = offsets[from]!;
  let high = offsets[from + 1]! - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const target = targets[middle]!;
    if (target === to) return middle;
    if (target < to) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

/** The sources of the edges by target, in any order; an undirected edge at both of its ends, a self-loop once. */
const rowsByTarget = ({ nodeCount, directed, from, to, weights }: EdgeList): CompactGraph => {
  const offsets = new Uint32Array(nodeCount + 1);
  for (let edge = 0; edge < from.length; edge++) {
    const [source, target] = [from[edge]!, to[edge]!];
    offsets[target + 1]!++;
    if (!directed && source !== target) offsets[source + 1]!++;
  }
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  const sources = new Uint32Array(offsets[nodeCount]!);
  const ordered = weights === null ? null : new Float64Array(sources.length);
  const next = offsets.slice(0, nodeCount);
  for (let edge = 0; edge < from.length; edge++) {
    const [source, target] = [from[edge]!, to[edge]!];
    const slot = next[target]!++;
    sources[slot] = source;
    if (ordered !== null) ordered[slot] = weights![edge]!;
    if (directed || source === target) continue;
    const other = next[source]!++;
    sources[other] = target;
    if (ordered !== null) ordered[other] = weights![edge]!;
  }
  return { nodeCount, directed, offsets, targets: sources, weights: ordered };
};

/** The rows of the reversed edges. A pass over the rows in the order of their nodes fills every new row in order. */
const turned = ({ nodeCount, directed, offsets, targets, weights }: CompactGraph): CompactGraph => {
  const starts = new Uint32Array(nodeCount + 1);
  for (let edge = 0; edge < targets.length; edge++) starts[targets[edge]! + 1]!++;
  for (let node = 0; node < nodeCount; node++) starts[node + 1]! += starts[node]!;
  const sources = new Uint32Array(targets.length);
  const ordered = weights === null ? null : new Float64Array(targets.length);
  const next = starts.slice(0, nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const slot = next[targets[edge]!]!++;
      sources[slot] = node;
      if (ordered !== null) ordered[slot] = weights![edge]!;
    }
  }
  return { nodeCount, directed, offsets: starts, targets: sources, weights: ordered };
};

/** Merges equal neighbours into one entry, in place. */
const merged = (graph: CompactGraph, combined: (a: number, b: number) => number): CompactGraph => {
  const { nodeCount, offsets, targets, weights } = graph;
  let size = 0;
  let first = 0;
  for (let node = 0; node < nodeCount; node++) {
    const end = offsets[node + 1]!;
    const start = size;
    for (let edge = first; edge < end; edge++) {
      if (size > start && targets[size - 1] === targets[edge]) {
        if (weights !== null) weights[size - 1] = combined(weights[size - 1]!, weights[edge]!);
        continue;
      }
      targets[size] = targets[edge]!;
      if (weights !== null) weights[size] = weights[edge]!;
      size++;
    }
    first = end;
    offsets[node + 1] = size;
  }
  return { ...graph, targets: targets.subarray(0, size), weights: weights?.subarray(0, size) ?? null };
};
