import { type Appearance } from './appearance';
import { type DrawnEdge } from './exploration';
import { type PlacedNode } from './layouts';

/** Coordinates are integers with this number of fractional bits. */
const POINT = 16;

/** Paints nodes and edges pixel by pixel: many times faster than a canvas without a GPU; all must be in view. */
export class CoarsePicture {
  private image = new ImageData(1, 1);
  /** Two coordinates per node, and two indexes per edge. */
  private readonly places: Int32Array;
  private readonly ends: Int32Array;

  constructor(
    private readonly nodes: readonly PlacedNode[],
    edges: readonly DrawnEdge[],
  ) {
    const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
    this.places = new Int32Array(2 * nodes.length);
    this.ends = Int32Array.from(edges.flatMap(({ from, to }) => [indexes.get(from) ?? 0, indexes.get(to) ?? 0]));
  }

  /** Edges have the colour `line`; colours are `#rrggbb`. */
  paint(context: CanvasRenderingContext2D, { colourOf, radiusOf }: Appearance, line: string): void {
    const { width, height } = context.canvas;
    // An image without pixels is an error.
    if (width === 0 || height === 0) return;
    if (this.image.width !== width || this.image.height !== height) this.image = new ImageData(width, height);
    const { nodes, places, image } = this;
    const { a: scale, e: left, f: top } = context.getTransform();
    const pixels = new Uint32Array(image.data.buffer).fill(0);
    nodes.forEach(({ x = 0, y = 0 }, index) => {
      places[2 * index] = (x * scale + left) * 2 ** POINT;
      places[2 * index + 1] = (y * scale + top) * 2 ** POINT;
    });
    this.paintLines(pixels, width, pixelOf(line));
    nodes.forEach(({ of }, index) => {
      const radius = Math.max(Math.round(radiusOf(of) * scale), 1);
      const left = ((places[2 * index] ?? 0) >> POINT) - radius;
      const top = ((places[2 * index + 1] ?? 0) >> POINT) - radius;
      for (let row = top; row < top + 2 * radius; row++)
        pixels.fill(pixelOf(colourOf(of)), row * width + left, row * width + left + 2 * radius);
    });
    context.putImageData(image, 0, 0);
  }

  private paintLines(pixels: Uint32Array, width: number, pixel: number): void {
    const { places, ends } = this;
    for (let edge = 0; edge < ends.length; edge += 2) {
      const [from, to] = [2 * (ends[edge] ?? 0), 2 * (ends[edge + 1] ?? 0)];
      let [x, y] = [places[from] ?? 0, places[from + 1] ?? 0];
      const [wide, high] = [(places[to] ?? 0) - x, (places[to + 1] ?? 0) - y];
      const steps = (Math.max(Math.abs(wide), Math.abs(high)) >> POINT) + 1;
      const [dx, dy] = [(wide / steps) | 0, (high / steps) | 0];
      for (let step = 0; step <= steps; step++) {
        pixels[(y >> POINT) * width + (x >> POINT)] = pixel;
        x += dx;
        y += dy;
      }
    }
  }
}

/** Red is the lowest byte. */
const pixelOf = (colour: string): number => {
  const rgb = Number.parseInt(colour.slice(1), 16);
  return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
};
