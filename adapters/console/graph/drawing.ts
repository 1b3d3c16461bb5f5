import ForceGraph, { type LinkObject } from 'force-graph';
import { type Appearance, type Layout, RADIUS } from './appearance';
import { CoarsePicture } from './coarse-picture';
import { type DrawnEdge, type DrawnGraph, type DrawnNode } from './exploration';
import { type Force, type Place, type PlacedNode, placedNodes, placesOf, reusedForce } from './layouts';

export interface Shown {
  readonly graph: DrawnGraph;
  readonly appearance: Appearance;
  readonly layout: Layout;
  /** Positions of fixed nodes. */
  readonly pins: ReadonlyMap<string, Place>;
  readonly selectedId: string | null;
  readonly isDark: boolean;
}

/** A drawing in an element of the page. */
export interface Drawing {
  show(shown: Shown): void;
  /** Centres a node. */
  focus(id: string): void;
  /** Fixes a node at its position. */
  pin(id: string): void;
  fit(): void;
  destroy(): void;
}

export interface DrawingEvents {
  readonly onSelect: (selected: DrawnNode | DrawnEdge | null) => void;
  readonly onPin: (id: string, place: Place) => void;
  readonly onSettled: () => void;
}

type PlacedEdge = LinkObject<PlacedNode> & { readonly of: DrawnEdge };

interface Repulsion {
  theta(detail: number): Force;
}

/** Up to this number of nodes every caption is shown; above it, from this scale on. */
const FEW_NODES = 45;
const CAPTION_SCALE = 2.2;
/** Maximum scale, at which few nodes still look like nodes. */
const MAX_SCALE = 6;
/** Margin around a whole drawing, in pixels. */
const MARGIN = 40;
/** Number of layout steps, after which it stops. */
const SETTLED_AFTER_TICKS = 160;
/** Above this number of edges nodes are painted coarsely, and cannot be selected, while they move. */
const MANY_EDGES = 2_500;
/** Thinner than a pixel: such lines are many times faster, because they are not filled as areas. */
const LINE_WIDTH = 0.9;
const ARROW_LENGTH = 3.5;
/** Below this scale arrows are not visible. */
const ARROW_SCALE = 0.6;
/** Coarser than the default: most of a step's time is spent on distant nodes. */
const REPULSION_DETAIL = 1.5;
/** Force towards the centre, so that separate parts stay close to each other. */
const PULL = 0.05;

/** Draws with Canvas 2D, which works on virtual desktops without WebGL. */
export const createDrawing = (element: HTMLElement, events: DrawingEvents): Drawing =>
  new CanvasDrawing(element, events);

class CanvasDrawing implements Drawing {
  private shown: Shown | null = null;
  private isFitted = false;
  /** The picture shown while many nodes move. */
  private coarse: CoarsePicture | null = null;
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
      .nodeVal(({ of }) => ((this.shown?.appearance.radiusOf(of) ?? RADIUS) / RADIUS) ** 2)
      .autoPauseRedraw(true)
      .maxZoom(MAX_SCALE)
      .linkWidth((edge) => (isMarked(edge) ? 2.5 : LINE_WIDTH))
      .linkColor((edge) => (isMarked(edge) ? this.ink : this.line))
      .linkDirectionalArrowRelPos(1)
      .linkDirectionalArrowLength(() => (this.canvas.zoom() < ARROW_SCALE ? 0 : ARROW_LENGTH))
      .onRenderFramePre(this.paintCoarse)
      .nodeCanvasObject(this.paint)
      .onNodeClick((node) => events.onSelect(node.of))
      .onLinkClick((edge) => events.onSelect(edge.of))
      .onBackgroundClick(() => events.onSelect(null))
      // A dragged node stays where it was dropped.
      .onNodeDragEnd(({ id }) => this.pin(id))
      // While the layout grows, the whole drawing stays in view.
      .onEngineTick(() => {
        if (!this.isFitted) this.canvas.zoomToFit(0, MARGIN);
      })
      .onEngineStop(() => {
        this.isFitted = true;
        this.setCoarse(null);
        events.onSettled();
      });
    const repulsion = this.canvas.d3Force('charge') as unknown as Repulsion;
    this.canvas.d3Force('charge', reusedForce(repulsion.theta(REPULSION_DETAIL)));
    this.canvas.d3Force('pull', (alpha) => {
      for (const node of this.places.values()) {
        node.vx = (node.vx ?? 0) - (node.x ?? 0) * PULL * alpha;
        node.vy = (node.vy ?? 0) - (node.y ?? 0) * PULL * alpha;
      }
    });
    this.resize = new ResizeObserver(() => {
      // The drawing is hidden.
      if (element.clientWidth === 0) return;
      this.canvas.width(element.clientWidth).height(element.clientHeight);
      if (this.isFitted) this.canvas.zoomToFit(0, MARGIN);
    });
    this.resize.observe(element);
  }

  show(next: Shown): void {
    const before = this.shown;
    this.shown = next;
    if (before?.layout !== next.layout) {
      this.isFitted = false;
      // The forces start as if the nodes were new: starting from a circle gives worse positions.
      this.places.clear();
    }
    const isNew = before?.graph !== next.graph || before.layout !== next.layout;
    if (isNew || before.pins !== next.pins) this.place(next, isNew);
    else this.drawAgain();
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
    this.canvas.zoomToFit(300, MARGIN);
  }

  destroy(): void {
    this.resize.disconnect();
    this.canvas._destructor();
  }

  private setCoarse(coarse: CoarsePicture | null): void {
    this.coarse = coarse;
    const isCoarse = coarse !== null;
    this.canvas.enablePointerInteraction(!isCoarse).nodeVisibility(!isCoarse).linkVisibility(!isCoarse);
  }

  private drawAgain(): void {
    this.canvas.nodeCanvasObject(this.paint);
  }

  private get ink(): string {
    return this.shown?.isDark === true ? '#e9ecef' : '#212529';
  }

  private get line(): string {
    return this.shown?.isDark === true ? '#5c636a' : '#adb5bd';
  }

  /** `isNew`: the forces position the nodes. */
  private place({ graph, layout, pins }: Shown, isNew: boolean): void {
    const { canvas, places } = this;
    const fixed = placesOf(graph, layout);
    const next = placedNodes(graph, places, (id) => pins.get(id) ?? fixed?.get(id));
    if ([...next.keys()].some((id) => !places.has(id))) this.isFitted = false;
    places.clear();
    for (const [id, node] of next) places.set(id, node);
    if (!isNew) return this.drawAgain();
    const links = graph.edges.map((of): PlacedEdge => ({ source: of.from, target: of.to, of }));
    const isCoarse = links.length > MANY_EDGES && !this.isFitted;
    this.setCoarse(isCoarse ? new CoarsePicture([...places.values()], graph.edges) : null);
    canvas.cooldownTicks(fixed === null ? SETTLED_AFTER_TICKS : 1).graphData({ nodes: [...places.values()], links });
  }

  private readonly paintCoarse = (context: CanvasRenderingContext2D): void => {
    if (this.shown !== null) this.coarse?.paint(context, this.shown.appearance, this.line);
  };

  private readonly paint = (node: PlacedNode, context: CanvasRenderingContext2D, scale: number): void => {
    if (this.shown === null) return;
    const { appearance, selectedId, pins } = this.shown;
    const { x = 0, y = 0, of } = node;
    const radius = appearance.radiusOf(of);
    const isSelected = of.id === selectedId;
    const isMarked = isSelected || pins.has(of.id);
    context.fillStyle = appearance.colourOf(of);
    context.globalAlpha = of.isStub ? 0.5 : 1;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
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
    context.fillText(appearance.captionOf(of), x, y + radius + 2 / scale);
  };
}
