/** Renumbers groups to 0, 1, … by decreasing size, then by their smallest node. Labels are below 2 ** 31. */
export const numberedGroups = (labels: Uint32Array | Int32Array): Uint32Array => {
  let largest = -1;
  for (let node = 0; node < labels.length; node++) if (labels[node]! > largest) largest = labels[node]!;
  const sizes = new Uint32Array(largest + 1);
  const found: number[] = [];
  for (let node = 0; node < labels.length; node++) if (sizes[labels[node]!]!++ === 0) found.push(labels[node]!);
  // Groups are found in the order of their smallest nodes; sorting is stable.
  found.sort((a, b) => sizes[b]! - sizes[a]!);
  const numbers = sizes;
  for (let number = 0; number < found.length; number++) numbers[found[number]!] = number;
  const numbered = new Uint32Array(labels.length);
  for (let node = 0; node < labels.length; node++) numbered[node] = numbers[labels[node]!]!;
  return numbered;
};

/** Disjoint sets of nodes (with path halving), each known by its smallest node. */
export interface NodeSets {
  readonly find: (node: number) => number;
  /** False if both already were in one set. */
  readonly join: (a: number, b: number) => boolean;
}

export const createNodeSets = (nodeCount: number): NodeSets => {
  const parents = new Uint32Array(nodeCount).map((_, node) => node);
  const find = (node: number): number => {
    let at = node;
    for (let above = parents[at]!; above !== at; above = parents[at]!) at = parents[at] = parents[above]!;
    return at;
  };
  return {
    find,
    join: (a, b) => {
      const [one, other] = [find(a), find(b)];
      if (one === other) return false;
      parents[Math.max(one, other)] = Math.min(one, other);
      return true;
    },
  };
};

/** The nodes of group 0, then those of 1, …, each in ascending order. */
export const nodesByGroup = (labels: Uint32Array, count: number): Uint32Array => {
  const next = new Uint32Array(count + 1);
  for (let node = 0; node < labels.length; node++) next[labels[node]! + 1]!++;
  for (let group = 0; group < count; group++) next[group + 1]! += next[group]!;
  const members = new Uint32Array(labels.length);
  for (let node = 0; node < labels.length; node++) members[next[labels[node]!]!++] = node;
  return members;
};
