import { type DrawnGraph } from './drawn-graph';
import { type Layout } from './appearance';

export interface Place {
  readonly x: number;
  readonly y: number;
}

const STEP = 26;
const LEVEL = 70;

/** Positions of all nodes in a layout that is computed at once; null: the forces position them. */
export const placesOf = (graph: DrawnGraph, layout: Layout): ReadonlyMap<string, Place> | null => {
  if (layout === 'force') return null;
  return layout === 'tree' ? treePlaces(graph) : circlePlaces(graph);
};

/** On a circle, with the nodes of a label next to each other. */
const circlePlaces = ({ nodes }: DrawnGraph): ReadonlyMap<string, Place> => {
  const sorted = [...nodes].sort((a, b) => a.label.localeCompare(b.label));
  const radius = (sorted.length * STEP) / (2 * Math.PI);
  return new Map(
    sorted.map(({ id }, index) => {
      const angle = (2 * Math.PI * index) / sorted.length;
      return [id, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }];
    }),
  );
};

/** Levels by distance from nodes without incoming edges; each node is centred above those that it reaches first. */
const treePlaces = ({ nodes, edges }: DrawnGraph): ReadonlyMap<string, Place> => {
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const incoming = new Map<string, number>();
  for (const { from, to } of edges) {
    next.get(from)?.push(to);
    if (from !== to) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  }
  const degree = (id: string): number => (next.get(id)?.length ?? 0) - 1_000_000 * Math.min(incoming.get(id) ?? 0, 1);
  const starts = nodes.map(({ id }) => id).sort((a, b) => degree(b) - degree(a));
  const children = new Map<string, string[]>();
  const levels = new Map<string, number>();
  const roots: string[] = [];
  for (const root of starts) {
    if (levels.has(root)) continue;
    roots.push(root);
    levels.set(root, 0);
    const line = [root];
    for (let id = line.shift(); id !== undefined; id = line.shift()) {
      const first = (next.get(id) ?? []).filter((one, index, all) => !levels.has(one) && all.indexOf(one) === index);
      for (const one of first) levels.set(one, (levels.get(id) ?? 0) + 1);
      children.set(id, first);
      line.push(...first);
    }
  }
  return spread(roots, children, levels);
};

/** Leaves from left to right; without recursion, because a chain may be long. */
const spread = (
  roots: readonly string[],
  children: ReadonlyMap<string, readonly string[]>,
  levels: ReadonlyMap<string, number>,
): ReadonlyMap<string, Place> => {
  const across = new Map<string, number>();
  let leaf = 0;
  const stack = [...roots].reverse();
  while (stack.length > 0) {
    const id = stack.pop() ?? '';
    const below = children.get(id) ?? [];
    if (below.length > 0 && !across.has(below[0] ?? '')) {
      stack.push(id, ...[...below].reverse());
      continue;
    }
    const [first, last] = [across.get(below[0] ?? ''), across.get(below.at(-1) ?? '')];
    across.set(id, first === undefined || last === undefined ? leaf++ : (first + last) / 2);
  }
  return new Map([...across].map(([id, x]) => [id, { x: x * STEP, y: (levels.get(id) ?? 0) * LEVEL }]));
};
