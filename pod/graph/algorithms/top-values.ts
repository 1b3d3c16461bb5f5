import { type KernelResult, type NodeValues } from './algorithm';

/** Nodes with the highest values, highest first; nodes of equal values in the order of their keys. */
export const topNodes = (values: NodeValues, top: number): readonly number[] => {
  const rank = (value: number | undefined): number => (value === undefined || Number.isNaN(value) ? -Infinity : value);
  const sorted = Float64Array.from(values, rank).sort();
  const lowest = rank(sorted[Math.max(0, sorted.length - top)]);
  const [above, equal]: [number[], number[]] = [[], []];
  for (const [node, value] of values.entries()) {
    if (rank(value) > lowest) above.push(node);
    else if (rank(value) === lowest && equal.length < top) equal.push(node);
  }
  // No difference: two infinities have none.
  above.sort((a, b) => Number(rank(values[a]) < rank(values[b])) - Number(rank(values[a]) > rank(values[b])) || a - b);
  return [...above, ...equal].slice(0, top);
};

/** The nodes a result speaks of; null: all of them, or too many to name them. */
export const nodesOf = (result: KernelResult, top: number | null): readonly number[] | null => {
  switch (result.type) {
    case 'scalar':
      return [];
    case 'path':
      return result.nodes;
    case 'node_values':
      return top === null ? null : topNodes(result.values, top);
    case 'node_maps':
      return top === null ? null : Object.values(result.maps).flatMap((values) => topNodes(values, top));
    case 'order':
    case 'edge_predictions':
    case 'edges':
      return null;
  }
};
