import { type CompactGraph } from './compact-graph';

/** Shortest distances from one node; the next run overwrites the arrays. */
export interface Search {
  /** Returns the number of reached nodes, including the source. Stops early when the distance of `goal` is final. */
  readonly from: (source: number, goal?: number) => number;
  /** Reached nodes, nearest first. */
  readonly order: Uint32Array;
  /** Infinity for nodes that the last run did not reach. */
  readonly distances: Float64Array;
  /** The predecessor of each reached node on a shortest path; for the source, the source itself. */
  readonly previous: Uint32Array;
}

/** Distances are numbers of edges in a graph without weights, otherwise sums of weights (Dijkstra). */
export const createSearch = (graph: CompactGraph): Search =>
  graph.weights === null ? breadthFirst(graph) : dijkstra(graph, graph.weights);

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

/** A binary heap of nodes, ordered by ascending key. It contains each node at most once. */
interface NodeHeap {
  /** Adds the node, or moves it forward after its key decreased. */
  readonly push: (node: number) => void;
  /** Removes and returns the node with the least key; -1 if the heap is empty. */
  readonly pop: () => number;
  readonly clear: () => void;
}

/** The caller owns `keys`, and pushes a node again after lowering its key. */
const createNodeHeap = (keys: Float64Array): NodeHeap => {
  const heap = new Uint32Array(keys.length);
  /** Index in the heap plus one; 0 if the heap does not contain the node. */
  const places = new Uint32Array(keys.length);
  let size = 0;

  const put = (node: number, place: number): void => {
    heap[place] = node;
    places[node] = place + 1;
  };

  return {
    push: (node) => {
      const key = keys[node]!;
      let place = places[node] === 0 ? size++ : places[node]! - 1;
      while (place > 0) {
        const parent = (place - 1) >>> 1;
        const above = heap[parent]!;
        if (keys[above]! <= key) break;
        put(above, place);
        place = parent;
      }
      put(node, place);
    },
    pop: () => {
      if (size === 0) return -1;
      const least = heap[0]!;
      places[least] = 0;
      const node = heap[--size]!;
      if (size === 0) return least;
      const key = keys[node]!;
      let place = 0;
      for (let child = 1; child < size; child = 2 * place + 1) {
        if (child + 1 < size && keys[heap[child + 1]!]! < keys[heap[child]!]!) child++;
        const below = heap[child]!;
        if (keys[below]! >= key) break;
        put(below, place);
        place = child;
      }
      put(node, place);
      return least;
    },
    clear: () => {
      for (let place = 0; place < size; place++) places[heap[place]!] = 0;
      size = 0;
    },
  };
};
