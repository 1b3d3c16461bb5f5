/**
 * A directed graph in typed arrays (compressed sparse rows): the edges that leave node `v` go to
 * `targets[offsets[v]] … targets[offsets[v + 1] - 1]`, ascending. Nodes are numbered from 0. There is at most one edge
 * per ordered pair; self-loops are possible.
 */
export interface CompactGraph {
  readonly nodeCount: number;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** One per edge; null when every edge weighs 1. */
  readonly weights: Float64Array | null;
}

export interface EdgeList {
  readonly nodeCount: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly weights: Float64Array | null;
}

/** Builds the graph in linear time: rows of the same ordered pair become one edge, their weights are added. */
export const buildCompactGraph = ({ nodeCount, from, to, weights }: EdgeList): CompactGraph => {
  const byTarget = countingSort(null, to, nodeCount);
  const order = countingSort(byTarget, from, nodeCount);
  const offsets = new Uint32Array(nodeCount + 1);
  const targets = new Uint32Array(from.length);
  const summed = weights === null ? null : new Float64Array(from.length);
  let size = 0;
  let previousFrom = -1;
  let previousTo = -1;
  for (const edge of order) {
    const [source, target] = [at(from, edge), at(to, edge)];
    if (source !== previousFrom || target !== previousTo) {
      targets[size++] = target;
      offsets[source + 1] = size;
      previousFrom = source;
      previousTo = target;
    }
    if (summed !== null && weights !== null) summed[size - 1] = at(summed, size - 1) + at(weights, edge);
  }
  for (let node = 1; node <= nodeCount; node++) offsets[node] = Math.max(at(offsets, node), at(offsets, node - 1));
  return { nodeCount, offsets, targets: targets.subarray(0, size), weights: summed?.subarray(0, size) ?? null };
};

/** An element that is known to be there. */
export const at = (array: Uint32Array | Float64Array, index: number): number => array[index] as number;

/** Indexes of `keys` in ascending order of key; ties keep the given order. */
const countingSort = (order: Uint32Array | null, keys: Uint32Array, keyCount: number): Uint32Array => {
  const starts = new Uint32Array(keyCount + 1);
  for (const key of keys) starts[key + 1] = at(starts, key + 1) + 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1] = at(starts, key + 1) + at(starts, key);
  const sorted = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place++) {
    const index = order === null ? place : at(order, place);
    const key = at(keys, index);
    const start = at(starts, key);
    sorted[start] = index;
    starts[key] = start + 1;
  }
  return sorted;
};
