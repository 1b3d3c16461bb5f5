import ForceGraph, { type LinkObject, type NodeObject } from 'force-graph';
import { captionOf, type DrawnEdge, type DrawnGraph, type DrawnNode } from './drawn-graph';

export interface DrawingStyle {
  readonly colours: ReadonlyMap<string, string>;
  /** Labels that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  /** Text colour of the page. */
  readonly ink: string;
  readonly line: string;
}

/** A drawing in an element of the page. */
export interface Drawing {
  show(graph: DrawnGraph, style: DrawingStyle): void;
  fit(): void;
  destroy(): void;
}

type PlacedNode = NodeObject & { readonly of: DrawnNode };
type PlacedEdge = LinkObject<PlacedNode> & { readonly of: DrawnEdge };

const RADIUS = 5;
/** With so few nodes every caption is written; with more, from this scale on. */
const FEW_NODES = 45;
const CAPTION_SCALE = 2.2;
/** Steps of the layout: after them it stands still. */
const SETTLED_AFTER_TICKS = 160;

interface NodeLook {
  readonly scale: number;
  readonly style: DrawingStyle;
  readonly isSelected: boolean;
  readonly hasCaption: boolean;
}

const drawNode = (node: PlacedNode, context: CanvasRenderingContext2D, look: NodeLook): void => {
  const { x = 0, y = 0, of } = node;
  const { scale, style, isSelected, hasCaption } = look;
  context.beginPath();
  context.arc(x, y, RADIUS, 0, 2 * Math.PI);
  context.fillStyle = style.colours.get(of.label) ?? style.line;
  context.globalAlpha = of.isStub ? 0.5 : 1;
  context.fill();
  context.globalAlpha = 1;
  if (isSelected) {
    context.lineWidth = 2 / scale;
    context.strokeStyle = style.ink;
    context.stroke();
  }
  if (!hasCaption) return;
  context.font = `${Math.max(11 / scale, 2.5)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.fillStyle = style.ink;
  context.fillText(captionOf(of), x, y + RADIUS + 2 / scale);
};

/** Where it was dragged to it stays. */
const pin = (node: PlacedNode): void => {
  node.fx = node.x;
  node.fy = node.y;
};

/** Draws with Canvas 2D, so that it works on virtual desktops without WebGL. */
export const createDrawing = (
  element: HTMLElement,
  onSelect: (selected: DrawnNode | DrawnEdge | null) => void,
): Drawing => {
  let style: DrawingStyle = { colours: new Map(), hidden: new Set(), ink: '#000', line: '#999' };
  let selectedId: string | null = null;
  let isFitted = false;
  const places = new Map<string, PlacedNode>();
  const drawing = new ForceGraph<PlacedNode, PlacedEdge>(element)
    .nodeRelSize(RADIUS)
    .cooldownTicks(SETTLED_AFTER_TICKS)
    .autoPauseRedraw(true)
    .linkWidth((edge) => (edge.of.id === selectedId ? 2.5 : 1))
    .linkColor((edge) => (edge.of.id === selectedId ? style.ink : style.line))
    .linkDirectionalArrowLength(3.5)
    .linkDirectionalArrowRelPos(1)
    .nodeCanvasObject((node, context, scale) => {
      const isSelected = node.of.id === selectedId;
      const hasCaption = places.size <= FEW_NODES || scale >= CAPTION_SCALE || isSelected;
      drawNode(node, context, { scale, style, isSelected, hasCaption });
    })
    .onNodeClick((node) => select(node.of))
    .onLinkClick((edge) => select(edge.of))
    .onBackgroundClick(() => select(null))
    .onNodeDragEnd(pin)
    // While the layout grows, the whole of it stays in view.
    .onEngineTick(() => {
      if (!isFitted) drawing.zoomToFit(0, 40);
    })
    .onEngineStop(() => (isFitted = true));

  const select = (selected: DrawnNode | DrawnEdge | null): void => {
    selectedId = selected?.id ?? null;
    drawing.nodeRelSize(RADIUS); // Draws again.
    onSelect(selected);
  };
  const resize = new ResizeObserver(() => {
    drawing.width(element.clientWidth).height(element.clientHeight);
    if (isFitted) drawing.zoomToFit(0, 40);
  });
  resize.observe(element);

  return {
    show(graph, next) {
      style = next;
      const drawn = graph.nodes.filter(({ label }) => !next.hidden.has(label));
      const ids = new Set(drawn.map(({ id }) => id));
      for (const id of places.keys()) if (!ids.has(id)) places.delete(id);
      const isSame = drawn.every(({ id }) => places.has(id));
      for (const of of drawn) if (!places.has(of.id)) places.set(of.id, { id: of.id, of });
      if (!isSame) isFitted = false;
      const links = graph.edges
        .filter(({ from, to }) => ids.has(from) && ids.has(to))
        .map((of): PlacedEdge => ({ source: of.from, target: of.to, of }));
      drawing.graphData({ nodes: [...places.values()], links });
    },
    fit: () => void drawing.zoomToFit(300, 40),
    destroy() {
      resize.disconnect();
      drawing._destructor();
    },
  };
};
