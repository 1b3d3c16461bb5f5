import { truncate } from './format';

export interface SchemaNode {
  readonly id: string;
  readonly label: string;
}

export interface SchemaEdge {
  readonly type: string;
  /** Ids of nodes; an edge without both ends is not drawn. */
  readonly from: string | null;
  readonly to: string | null;
}

interface Drawn {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}
type DrawnNode = Drawn & { readonly id: string; readonly halfWidth: number };

export const WIDTH = 680;
export const HALF_HEIGHT = 16;
const MARGIN = { x: 96, y: 68 };
const HALF_LETTER = 4.2;
const MAX_LETTERS = 22;
const BEND = 52;
/** Between the arrow and the node. */
const GAP = 3;

/** A drawing of a schema, with its labels on an ellipse, and its types as arrows that bend away from each other. */
export const diagramOf = (nodes: readonly SchemaNode[], edges: readonly SchemaEdge[]) => {
  const height = 2 * MARGIN.y + (nodes.length < 3 ? 0 : 60 + 24 * nodes.length);
  const drawn = nodes.map(({ id, label }, index): DrawnNode => {
    // Two nodes are placed side by side.
    const angle = (2 * Math.PI * index) / nodes.length + (nodes.length < 3 ? Math.PI : -Math.PI / 2);
    const text = truncate(label || 'no label', MAX_LETTERS);
    return {
      ...{ id, text, halfWidth: 14 + text.length * HALF_LETTER },
      x: WIDTH / 2 + (nodes.length === 1 ? 0 : (WIDTH / 2 - MARGIN.x) * Math.cos(angle)),
      y: height / 2 + (height / 2 - MARGIN.y) * Math.sin(angle),
    };
  });
  const byId = new Map(drawn.map((node) => [node.id, node]));
  const between = new Map<string, number>();
  const arrows = edges.flatMap(({ type, from, to }) => {
    const [a, b] = [byId.get(from ?? ''), byId.get(to ?? '')];
    if (a === undefined || b === undefined) return [];
    const pair = [a.id, b.id].sort().join('\n');
    const before = between.get(pair) ?? 0;
    between.set(pair, before + 1);
    return [{ text: truncate(type || 'no type', MAX_LETTERS), ...(a === b ? loopAt(a, before) : arrow(a, b, before)) }];
  });
  return { height, nodes: drawn, arrows };
};

type Path = Omit<Drawn, 'text'> & { readonly path: string };

const loopAt = ({ x, y }: DrawnNode, before: number): Path => {
  const top = y - HALF_HEIGHT;
  const rise = 46 + 20 * before;
  const path = `M${x - 10} ${top}C${x - 36} ${top - rise} ${x + 36} ${top - rise} ${x + 10} ${top - GAP}`;
  return { path, x, y: top - 0.75 * rise };
};

/** The first edge of a pair is straight, the next ones bend to both sides in turn, regardless of their direction. */
const arrow = (a: DrawnNode, b: DrawnNode, before: number): Path => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const side = (before % 2 === 0 ? 1 : -1) * (a.id < b.id ? 1 : -1);
  const bend = (Math.ceil(before / 2) * BEND * side) / (Math.hypot(dx, dy) || 1);
  const control = { x: (a.x + b.x) / 2 - dy * bend, y: (a.y + b.y) / 2 + dx * bend };
  const [start, end] = [borderOf(a, control, 0), borderOf(b, control, GAP)];
  return {
    path: `M${start.x} ${start.y}Q${control.x} ${control.y} ${end.x} ${end.y}`,
    x: (start.x + 2 * control.x + end.x) / 4,
    y: (start.y + 2 * control.y + end.y) / 4,
  };
};

/** The point where a line to the centre of a node crosses its border. */
const borderOf = ({ x, y, halfWidth }: DrawnNode, from: Omit<Drawn, 'text'>, gap: number) => {
  const [dx, dy] = [from.x - x, from.y - y];
  const share = Math.min((halfWidth + gap) / (Math.abs(dx) || 1), (HALF_HEIGHT + gap) / (Math.abs(dy) || 1), 1);
  return { x: x + dx * share, y: y + dy * share };
};
