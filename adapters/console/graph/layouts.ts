import { type NodeObject } from 'force-graph';
import { type Layout } from './appearance';
import { type DrawnGraph, type DrawnNode } from './exploration';

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

/** A node with its position in the drawing. */
export interface PlacedNode extends NodeObject {
  readonly id: string;
  of: DrawnNode;
}

/** The nodes at their positions; new ones next to a neighbour with a position. */
export const placedNodes = (
  { nodes, edges }: DrawnGraph,
  before: ReadonlyMap<string, PlacedNode>,
  placeOf: (id: string) => Place | undefined,
): ReadonlyMap<string, PlacedNode> => {
  const neighbours = new Map<string, PlacedNode>();
  for (const { from, to } of before.size === 0 ? [] : edges) {
    const [a, b] = [before.get(from), before.get(to)];
    if (a !== undefined) neighbours.set(to, a);
    if (b !== undefined) neighbours.set(from, b);
  }
  return new Map(
    nodes.map((of, index) => {
      const place = placeOf(of.id);
      const near = neighbours.get(of.id);
      const start = { x: (near?.x ?? 0) + 12 * Math.cos(index), y: (near?.y ?? 0) + 12 * Math.sin(index) };
      const node: PlacedNode = before.get(of.id) ?? { id: of.id, of, ...(near === undefined ? {} : start) };
      node.of = of;
      if (place === undefined) {
        delete node.fx;
        delete node.fy;
      } else Object.assign(node, { x: place.x, y: place.y, fx: place.x, fy: place.y });
      return [of.id, node];
    }),
  );
};

/** A force of the layout, as `d3-force` defines it. */
export interface Force {
  (alpha: number): void;
  initialize?: (nodes: PlacedNode[], ...more: unknown[]) => void;
}

/** The first steps move nodes most. */
const EXACT_STEPS = 10;
/** Number of steps for which one computation is used. */
const REUSE = 4;

/** An expensive force that is computed only at some steps: the others reuse its last result. */
export const reusedForce = (force: Force): Force => {
  let nodes: readonly PlacedNode[] = [];
  let pushes: readonly (readonly [x: number, y: number])[] = [];
  let [step, alphaThen] = [0, 1];
  const reused: Force = (alpha) => {
    if (step++ < EXACT_STEPS || step % REUSE === 0) {
      const before = nodes.map(({ vx = 0, vy = 0 }) => [vx, vy] as const);
      force(alpha);
      pushes = nodes.map(({ vx = 0, vy = 0 }, index) => [
        vx - (before[index]?.[0] ?? 0),
        vy - (before[index]?.[1] ?? 0),
      ]);
      alphaThen = alpha;
    } else {
      nodes.forEach((node, index) => {
        const [x, y] = pushes[index] ?? [0, 0];
        node.vx = (node.vx ?? 0) + (x * alpha) / alphaThen;
        node.vy = (node.vy ?? 0) + (y * alpha) / alphaThen;
      });
    }
  };
  reused.initialize = (given, ...more) => {
    [nodes, step] = [given, 0];
    force.initialize?.(given, ...more);
  };
  return reused;
};
