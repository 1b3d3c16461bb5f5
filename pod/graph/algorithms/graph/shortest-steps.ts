import { type CompactGraph } from './compact-graph';
import { createSearch, type Search } from './search';

/** All shortest paths from one node: the nodes in the order of distance, and for each the steps of shortest paths. */
export interface ShortestSteps {
  /** Returns the number of reached nodes; the source is the first. */
  readonly from: (source: number) => number;
  /** The nodes reached, nearest first. */
  readonly order: Uint32Array;
  /** By index in `order`: end of a node's steps, which begin at the end of the previous node's. */
  readonly ends: Uint32Array;
  /** Index in the graph's `targets` of each step. */
  readonly edges: Uint32Array;
  /** Number of shortest paths from the source to each reached node. */
  readonly paths: Float64Array;
}

const UNSEEN = 0;
const SEEN = 1;
/** One step beyond the current level. */
const NEXT = 2;
/** A level of at least this share of all nodes is sorted by a scan of all nodes. */
const LARGE_LEVEL = 1 / 32;

/** By the number of edges, or by the sum of weights, which must be positive. */
export const createShortestSteps = (graph: CompactGraph): ShortestSteps => {
  const { nodeCount, targets, weights } = graph;
  const search = weights === null ? null : createSearch(graph);
  const steps = {
    order: search?.order ?? new Uint32Array(nodeCount),
    ends: new Uint32Array(nodeCount),
    edges: new Uint32Array(targets.length),
    paths: new Float64Array(nodeCount),
  };
  const states = new Uint8Array(weights === null ? nodeCount : 0);
  const from = (source: number): number =>
    search === null || weights === null
      ? breadthFirst(graph, source, steps, states)
      : byWeight(graph, source, steps, weights, search);
  return { ...steps, from };
};

type Steps = Omit<ShortestSteps, 'from'>;

const breadthFirst = (graph: CompactGraph, source: number, steps: Steps, states: Uint8Array): number => {
  const { offsets, targets } = graph;
  const { order, ends, edges, paths } = steps;
  states.fill(UNSEEN);
  order[0] = source;
  states[source] = SEEN;
  paths[source] = 1;
  let [reached, size] = [1, 0];
  for (let place = 0; place < reached;) {
    const levelEnd = reached;
    for (; place < levelEnd; place++) {
      const node = order[place]!;
      const pathCount = paths[node]!;
      const last = offsets[node + 1]!;
      for (let edge = offsets[node]!; edge < last; edge++) {
        const target = targets[edge]!;
        const state = states[target]!;
        if (state === SEEN) continue;
        if (state === UNSEEN) {
          states[target] = NEXT;
          order[reached++] = target;
          paths[target] = pathCount;
        } else paths[target]! += pathCount;
        edges[size++] = edge;
      }
      ends[place] = size;
    }
    closeLevel(order, states, levelEnd, reached);
  }
  return reached;
};

/** Ends a level: marks its nodes as seen, and sorts a large level in memory order. */
const closeLevel = (order: Uint32Array, states: Uint8Array, start: number, end: number): void => {
  const nodeCount = states.length;
  if (end - start < nodeCount * LARGE_LEVEL) {
    for (let place = start; place < end; place++) states[order[place]!] = SEEN;
    return;
  }
  let place = start;
  for (let node = 0; node < nodeCount; node++) {
    if (states[node] !== NEXT) continue;
    states[node] = SEEN;
    order[place++] = node;
  }
};

const byWeight = (graph: CompactGraph, source: number, steps: Steps, weights: Float64Array, search: Search): number => {
  const { offsets, targets } = graph;
  const { order, ends, edges, paths } = steps;
  const reached = search.from(source);
  const { distances } = search;
  paths.fill(0);
  paths[source] = 1;
  let size = 0;
  for (let place = 0; place < reached; place++) {
    const node = order[place]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const target = targets[edge]!;
      if (distances[node]! + weights[edge]! !== distances[target]!) continue;
      paths[target]! += paths[node]!;
      edges[size++] = edge;
    }
    ends[place] = size;
  }
  return reached;
};
