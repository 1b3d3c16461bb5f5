import ForceGraph, { type LinkObject, type NodeObject } from 'force-graph';
import { type DrawnEdge, type DrawnGraph, type DrawnNode } from './drawn-graph';
import { type Place, placesOf } from './layouts';
import { type Layout, type Look, RADIUS } from './look';

export interface Shown {
  readonly graph: DrawnGraph;
  readonly look: Look;
  readonly layout: Layout;
  /** Places of nodes that stay where they were put. */
  readonly pins: ReadonlyMap<string, Place>;
  readonly selectedId: string | null;
  readonly isDark: boolean;
}

/** A drawing in an element of the page. */
export interface Drawing {
  show(shown: Shown): void;
  /** Moves a node to the middle. */
  focus(id: string): void;
  /** Fixes a node where it is. */
  pin(id: string): void;
  fit(): void;
  destroy(): void;
}

export interface DrawingEvents {
  readonly onSelect: (selected: DrawnNode | DrawnEdge | null) => void;
  readonly onPin: (id: string, place: Place) => void;
  readonly onSettled: () => void;
}

interface PlacedNode extends NodeObject {
  readonly id: string;
  of: DrawnNode;
}
type PlacedEdge = LinkObject<PlacedNode> & { readonly of: DrawnEdge };

/** With so few nodes every caption is written; with more, from this scale on. */
const FEW_NODES = 45;
const CAPTION_SCALE = 2.2;
/** Steps of the layout: after them it stands still. */
const SETTLED_AFTER_TICKS = 160;
/** With more edges they have no arrows, and nodes cannot be picked while they move. */
const MANY_EDGES = 2_500;
/** Below this radius on the screen a square looks like a circle, and is drawn faster. */
const SMALL = 2;
/** Coarser than the default: most of a step's time is spent on distant nodes. */
const REPULSION_DETAIL = 1.5;
/** Towards the middle, so that separate parts stay near each other. */
const PULL = 0.05;

/** Draws with Canvas 2D, so that it works on virtual desktops without WebGL. */
export const createDrawing = (element: HTMLElement, events: DrawingEvents): Drawing =>
  new CanvasDrawing(element, events);

class CanvasDrawing implements Drawing {
  private shown: Shown | null = null;
  private isFitted = false;
  private readonly places = new Map<string, PlacedNode>();
  private readonly canvas: ForceGraph<PlacedNode, PlacedEdge>;
  private readonly resize: ResizeObserver;

  constructor(
    element: HTMLElement,
    private readonly events: DrawingEvents,
  ) {
    const isMarked = (edge: PlacedEdge): boolean => edge.of.id === this.shown?.selectedId;
    this.canvas = new ForceGraph<PlacedNode, PlacedEdge>(element)
      .nodeRelSize(RADIUS)
      .nodeVal(({ of }) => ((this.shown?.look.radiusOf(of) ?? RADIUS) / RADIUS) ** 2)
      .autoPauseRedraw(true)
      .linkWidth((edge) => (isMarked(edge) ? 2.5 : 1))
      .linkColor((edge) => (isMarked(edge) ? this.ink : this.line))
      .linkDirectionalArrowRelPos(1)
      .nodeCanvasObject(this.paint)
      .onNodeClick((node) => events.onSelect(node.of))
      .onLinkClick((edge) => events.onSelect(edge.of))
      .onBackgroundClick(() => events.onSelect(null))
      // Where it was dragged to it stays.
      .onNodeDragEnd(({ id }) => this.pin(id))
      // While the layout grows, the whole of it stays in view.
      .onEngineTick(() => {
        if (!this.isFitted) this.canvas.zoomToFit(0, 40);
      })
      .onEngineStop(() => {
        this.isFitted = true;
        this.canvas.enablePointerInteraction(true);
        events.onSettled();
      });
    const repulsion = this.canvas.d3Force('charge') as unknown as { theta(detail: number): void } | undefined;
    repulsion?.theta(REPULSION_DETAIL);
    this.canvas.d3Force('pull', (alpha) => {
      for (const node of this.places.values()) {
        node.vx = (node.vx ?? 0) - (node.x ?? 0) * PULL * alpha;
        node.vy = (node.vy ?? 0) - (node.y ?? 0) * PULL * alpha;
      }
    });
    this.resize = new ResizeObserver(() => {
      this.canvas.width(element.clientWidth).height(element.clientHeight);
      if (this.isFitted) this.canvas.zoomToFit(0, 40);
    });
    this.resize.observe(element);
  }

  show(next: Shown): void {
    const before = this.shown;
    this.shown = next;
    if (before?.layout !== next.layout) this.isFitted = false;
    if (before?.graph !== next.graph || before.layout !== next.layout || before.pins !== next.pins) this.place(next);
    else this.canvas.nodeCanvasObject(this.paint); // Draws again.
  }

  focus(id: string): void {
    const node = this.places.get(id);
    if (node === undefined) return;
    this.canvas.centerAt(node.x, node.y, 300);
    if (this.canvas.zoom() < CAPTION_SCALE) this.canvas.zoom(CAPTION_SCALE, 300);
  }

  pin(id: string): void {
    const { x = 0, y = 0 } = this.places.get(id) ?? {};
    this.events.onPin(id, { x, y });
  }

  fit(): void {
    this.canvas.zoomToFit(300, 40);
  }

  destroy(): void {
    this.resize.disconnect();
    this.canvas._destructor();
  }

  private get ink(): string {
    return this.shown?.isDark === true ? '#e9ecef' : '#212529';
  }

  private get line(): string {
    return this.shown?.isDark === true ? '#5c636a' : '#adb5bd';
  }

  private place({ graph, layout, pins }: Shown): void {
    const { canvas, places } = this;
    const fixed = placesOf(graph, layout);
    const next = placedNodes(graph, places, (id) => pins.get(id) ?? fixed?.get(id));
    if ([...next.keys()].some((id) => !places.has(id))) this.isFitted = false;
    places.clear();
    for (const [id, node] of next) places.set(id, node);
    const links = graph.edges.map((of): PlacedEdge => ({ source: of.from, target: of.to, of }));
    const isLarge = links.length > MANY_EDGES;
    canvas
      .enablePointerInteraction(!isLarge)
      .linkDirectionalArrowLength(isLarge ? 0 : 3.5)
      .cooldownTicks(fixed === null ? SETTLED_AFTER_TICKS : 1)
      .graphData({ nodes: [...places.values()], links });
  }

  private readonly paint = (node: PlacedNode, context: CanvasRenderingContext2D, scale: number): void => {
    if (this.shown === null) return;
    const { look, selectedId, pins } = this.shown;
    const { x = 0, y = 0, of } = node;
    const radius = look.radiusOf(of);
    const isSelected = of.id === selectedId;
    const isMarked = isSelected || pins.has(of.id);
    context.fillStyle = look.colourOf(of);
    context.globalAlpha = of.isStub ? 0.5 : 1;
    if (radius * scale < SMALL && !isMarked) context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    else {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    if (isMarked) {
      context.lineWidth = (isSelected ? 2 : 1) / scale;
      context.strokeStyle = this.ink;
      context.stroke();
    }
    if (this.places.size > FEW_NODES && scale < CAPTION_SCALE && !isSelected) return;
    context.font = `${Math.max(11 / scale, 2.5)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.fillStyle = this.ink;
    context.fillText(look.captionOf(of), x, y + radius + 2 / scale);
  };
}

/** The nodes where they were, new ones next to a neighbour that has a place. */
const placedNodes = (
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
