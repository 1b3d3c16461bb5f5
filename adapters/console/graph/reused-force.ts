interface MovingNode {
  vx?: number;
  vy?: number;
}

/** A force of the layout, as `d3-force` defines it. */
export interface Force<N> {
  (alpha: number): void;
  initialize?: (nodes: N[], ...more: unknown[]) => void;
}

/** The first steps move nodes most. */
const EXACT_STEPS = 10;
/** Number of steps for which one computation is used. */
const REUSE = 4;

/** An expensive force that is computed only at some steps: the others reuse its last result. */
export const reusedForce = <N extends MovingNode>(force: Force<N>): Force<N> => {
  let nodes: readonly N[] = [];
  let pushes: readonly (readonly [x: number, y: number])[] = [];
  let [step, alphaThen] = [0, 1];
  const reused: Force<N> = (alpha) => {
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
