/**
 * A graph in typed arrays (compressed sparse rows): the neighbours of node `v` are
 * `targets[offsets[v]] … targets[offsets[v + 1] - 1]`, ascending, each once. Nodes are numbered from 0 in the order of
 * their keys. A directed graph lists where edges lead to; an undirected one lists every edge at both of its ends, and a
 * self-loop once.
 */
export interface CompactGraph {
  readonly nodeCount: number;
  readonly directed: boolean;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** One per target; null when every edge weighs 1. */
  readonly weights: Float64Array | null;
}

export interface EdgeList {
  readonly nodeCount: number;
  readonly directed: boolean;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly weights: Float64Array | null;
}

/**
 * Builds the graph in linear time. Rows of the same pair (ordered where the graph is directed) become one edge, their
 * weights are added.
 */
export const buildCompactGraph = (edges: EdgeList): CompactGraph => {
  const { nodeCount, directed } = edges;
  const byTarget = groupedByTarget(edges);
  // Going through the groups in order fills every row of the result in order.
  const offsets = rowStarts(nodeCount, directed ? edges.from : byTarget.sources);
  const targets = new Uint32Array(byTarget.sources.length);
  const weights = byTarget.weights === null ? null : new Float64Array(targets.length);
  const next = offsets.slice(0, nodeCount);
  for (let target = 0; target < nodeCount; target++) {
    for (let place = byTarget.offsets[target]!; place < byTarget.offsets[target + 1]!; place++) {
      const slot = next[byTarget.sources[place]!]!++;
      targets[slot] = target;
      if (weights !== null) weights[slot] = byTarget.weights![place]!;
    }
  }
  return merged({ nodeCount, directed, offsets, targets, weights });
};

/** The graph with every edge turned round; an undirected graph is its own. */
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

/** The node each entry of `targets` belongs to. */
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

/** Whether there is an edge; by binary search. */
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

/** The sources of the edges that lead to each node, in any order; of an undirected graph at both ends. */
const groupedByTarget = ({ nodeCount, directed, from, to, weights }: EdgeList) => {
  const offsets = new Uint32Array(nodeCount + 1);
  for (let edge = 0; edge < from.length; edge++) {
    offsets[to[edge]! + 1]!++;
    if (!directed && from[edge] !== to[edge]) offsets[from[edge]! + 1]!++;
  }
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  const sources = new Uint32Array(offsets[nodeCount]!);
  const grouped = weights === null ? null : new Float64Array(sources.length);
  const next = offsets.slice(0, nodeCount);
  for (let edge = 0; edge < from.length; edge++) {
    const [source, target] = [from[edge]!, to[edge]!];
    const slot = next[target]!++;
    sources[slot] = source;
    if (grouped !== null) grouped[slot] = weights![edge]!;
    if (directed || source === target) continue;
    const mirrored = next[source]!++;
    sources[mirrored] = target;
    if (grouped !== null) grouped[mirrored] = weights![edge]!;
  }
  return { offsets, sources, weights: grouped };
};

/** Makes one entry of equal neighbours, in place. */
const merged = (graph: CompactGraph): CompactGraph => {
  const { nodeCount, offsets, targets, weights } = graph;
  let size = 0;
  let first = 0;
  for (let node = 0; node < nodeCount; node++) {
    const end = offsets[node + 1]!;
    const start = size;
    for (let edge = first; edge < end; edge++) {
      if (size > start && targets[size - 1] === targets[edge]) {
        if (weights !== null) weights[size - 1]! += weights[edge]!;
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
