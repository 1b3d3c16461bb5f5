/** A binary heap of nodes, the one with the least key first. Each node is in it at most once. */
export interface NodeHeap {
  /** Adds the node, or moves it forward after its key has become less. */
  readonly push: (node: number) => void;
  /** Takes the least node out; -1 when there is none. */
  readonly pop: () => number;
  readonly clear: () => void;
}

/** `keys` belongs to the caller, who pushes a node again after lowering its key. */
export const createNodeHeap = (keys: Float64Array): NodeHeap => {
  const heap = new Uint32Array(keys.length);
  /** Place in the heap plus one; 0 when the node is not in it. */
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
