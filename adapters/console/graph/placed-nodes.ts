import { type NodeObject } from 'force-graph';
import { type DrawnGraph, type DrawnNode } from './drawn-graph';
import { type Place } from './layouts';

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
