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
  merged(edges.directed ? directedRows(edges) : undirectedRows(edges), COMBINED[parallel]);

/** The graph with all edges reversed; an undirected graph is returned unchanged. */
export const reversed = (graph: CompactGraph): CompactGraph => {
  if (!graph.directed) return graph;
  const { nodeCount, offsets, targets, weights } = graph;
  const turned = rowStarts(nodeCount, targets);
  const sources = new Uint32Array(targets.length);
  const turnedWeights = weights === null ? null : new Float64Array(targets.length);
  const next = turned.slice(0, nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const slot = next[targets[edge]!]!++;
      sources[slot] = node;
      if (turnedWeights !== null) turnedWeights[slot] = weights![edge]!;
    }
  }
  return { nodeCount, directed: true, offsets: turned, targets: sources, weights: turnedWeights };
};

/** The source node of each entry of `targets`. */
export const sourcesOf = ({ nodeCount, offsets, targets }: CompactGraph): Uint32Array => {
  const sources = new Uint32Array(targets.length);
  for (let node = 0; node < nodeCount; node++) sources.fill(node, offsets[node], offsets[node + 1]);
  return sources;
};

export const selfLoopCount = ({ nodeCount, offsets, targets }: CompactGraph): number => {
  let count = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) if (targets[edge] === node) count++;
  }
  return count;
};

export const edgeCount = (graph: CompactGraph): number =>
  graph.directed ? graph.targets.length : (graph.targets.length + selfLoopCount(graph)) / 2;

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

const rowStarts = (nodeCount: number, sources: Uint32Array): Uint32Array => {
  const starts = new Uint32Array(nodeCount + 1);
  for (let place = 0; place < sources.length; place++) starts[sources[place]! + 1]!++;
  for (let node = 0; node < nodeCount; node++) starts[node + 1]! += starts[node]!;
  return starts;
};

/** Grouped by target, then by source: a pass over the groups in order fills every row in order. */
const directedRows = ({ nodeCount, from, to, weights }: EdgeList): CompactGraph => {
  const offsets = rowStarts(nodeCount, to);
  const sources = new Uint32Array(from.length);
  const grouped = weights === null ? null : new Float64Array(from.length);
  const next = offsets.slice(0, nodeCount);
  for (let edge = 0; edge < from.length; edge++) {
    const slot = next[to[edge]!]!++;
    sources[slot] = from[edge]!;
    if (grouped !== null) grouped[slot] = weights![edge]!;
  }
  return reversed({ nodeCount, directed: true, offsets, targets: sources, weights: grouped });
};

/**
 * A row contains the lower neighbours of its node, the node itself if it has a loop, then the higher ones. Edges are
 * grouped by their higher end first; a pass over the groups in order fills the higher parts in order, and a pass over
 * those in order fills the lower parts.
 */
const undirectedRows = ({ nodeCount, from, to, weights }: EdgeList): CompactGraph => {
  const groups = new Uint32Array(nodeCount + 1);
  const offsets = new Uint32Array(nodeCount + 1);
  for (let edge = 0; edge < from.length; edge++) {
    const [low, high] = [Math.min(from[edge]!, to[edge]!), Math.max(from[edge]!, to[edge]!)];
    groups[high + 1]!++;
    if (low !== high) offsets[low + 1]!++;
  }
  const higher = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    higher[node] = offsets[node]! + groups[node + 1]!;
    offsets[node + 1]! += higher[node]!;
    groups[node + 1]! += groups[node]!;
  }
  const lows = new Uint32Array(from.length);
  const grouped = weights === null ? null : new Float64Array(from.length);
  const next = groups.slice(0, nodeCount);
  for (let edge = 0; edge < from.length; edge++) {
    const slot = next[Math.max(from[edge]!, to[edge]!)]!++;
    lows[slot] = Math.min(from[edge]!, to[edge]!);
    if (grouped !== null) grouped[slot] = weights![edge]!;
  }
  const targets = new Uint32Array(offsets[nodeCount]!);
  const ordered = weights === null ? null : new Float64Array(targets.length);
  next.set(higher);
  for (let high = 0; high < nodeCount; high++) {
    let loop = higher[high]!;
    for (let place = groups[high]!; place < groups[high + 1]!; place++) {
      const low = lows[place]!;
      const slot = low === high ? --loop : next[low]!++;
      targets[slot] = high;
      if (ordered !== null) ordered[slot] = grouped![place]!;
    }
  }
  next.set(offsets.subarray(0, nodeCount));
  for (let low = 0; low < nodeCount; low++) {
    for (let place = higher[low]!; place < offsets[low + 1]!; place++) {
      const slot = next[targets[place]!]!++;
      targets[slot] = low;
      if (ordered !== null) ordered[slot] = ordered[place]!;
    }
  }
  return { nodeCount, directed: false, offsets, targets, weights: ordered };
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
