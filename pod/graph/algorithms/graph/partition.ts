/** Renames groups to 0, 1, … by falling size, then by their smallest node. Any non-negative labels will do. */
export const numberedGroups = (labels: Uint32Array | Int32Array): Uint32Array => {
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  // A map keeps the order of first appearance, which is that of the smallest nodes; sorting is stable.
  const ranked = [...sizes].sort(([, a], [, b]) => b - a);
  const numbers = new Map(ranked.map(([label], number) => [label, number]));
  return Uint32Array.from(labels, (label) => numbers.get(label) ?? 0);
};

/** Sets of nodes that grow together (union by size, with path halving). */
export interface NodeSets {
  readonly find: (node: number) => number;
  /** False when both were in one set already. */
  readonly join: (a: number, b: number) => boolean;
}

export const createNodeSets = (nodeCount: number): NodeSets => {
  const parents = new Uint32Array(nodeCount).map((_, node) => node);
  const sizes = new Uint32Array(nodeCount).fill(1);
  const find = (node: number): number => {
    let at = node;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  return {
    find,
    join: (a, b) => {
      const [one, other] = [find(a), find(b)];
      if (one === other) return false;
      const [small, large] = sizes[one]! < sizes[other]! ? [one, other] : [other, one];
      parents[small] = large;
      sizes[large]! += sizes[small]!;
      return true;
    },
  };
};
