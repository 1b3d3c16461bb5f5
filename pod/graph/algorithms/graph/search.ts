import { type CompactGraph } from './compact-graph';
import { createNodeHeap } from './node-heap';

/** Shortest distances from one node at a time; the arrays are reused by the next run. */
export interface Search {
  /** Answers how many nodes were reached, the source included. Stops early when `goal` is reached for good. */
  readonly from: (source: number, goal?: number) => number;
  /** Reached nodes, nearest first. */
  readonly order: Uint32Array;
  /** Infinity where the last run did not get. */
  readonly distances: Float64Array;
  /** The node before each reached one on a shortest path; of the source itself. */
  readonly previous: Uint32Array;
}

/** By the number of edges where the graph has no weights, by their sum (Dijkstra) where it has. */
export const createSearch = (graph: CompactGraph): Search =>
  graph.weights === null ? breadthFirst(graph) : dijkstra(graph, graph.weights);

/** Why distances are not defined: a weight below zero; null when they are. */
export const negativeWeight = ({ weights }: CompactGraph): string | null =>
  weights?.some((weight) => weight < 0) === true
    ? 'An edge has a weight below zero, with which shortest paths are not defined; choose another weight_property.'
    : null;

const breadthFirst = ({ nodeCount, offsets, targets }: CompactGraph): Search => {
  const order = new Uint32Array(nodeCount);
  const previous = new Uint32Array(nodeCount);
  const distances = new Float64Array(nodeCount).fill(Infinity);
  let reached = 0;
  const from = (source: number, goal = -1): number => {
    for (let place = 0; place < reached; place++) distances[order[place]!] = Infinity;
    order[0] = source;
    previous[source] = source;
    distances[source] = 0;
    reached = 1;
    for (let place = 0; place < reached; place++) {
      const node = order[place]!;
      const distance = distances[node]! + 1;
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const target = targets[edge]!;
        if (distances[target] !== Infinity) continue;
        distances[target] = distance;
        previous[target] = node;
        order[reached++] = target;
        if (target === goal) return reached;
      }
    }
    return reached;
  };
  return { from, order, distances, previous };
};

const dijkstra = ({ nodeCount, offsets, targets }: CompactGraph, weights: Float64Array): Search => {
  const order = new Uint32Array(nodeCount);
  const previous = new Uint32Array(nodeCount);
  const distances = new Float64Array(nodeCount).fill(Infinity);
  const heap = createNodeHeap(distances);
  const from = (source: number, goal = -1): number => {
    distances.fill(Infinity);
    heap.clear();
    distances[source] = 0;
    previous[source] = source;
    heap.push(source);
    let reached = 0;
    for (let node = heap.pop(); node >= 0; node = heap.pop()) {
      order[reached++] = node;
      if (node === goal) return reached;
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const target = targets[edge]!;
        const distance = distances[node]! + weights[edge]!;
        if (distance >= distances[target]!) continue;
        distances[target] = distance;
        previous[target] = node;
        heap.push(target);
      }
    }
    return reached;
  };
  return { from, order, distances, previous };
};
