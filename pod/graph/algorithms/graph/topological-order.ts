import { type CompactGraph } from './compact-graph';
import { inDegrees } from './degrees';

/** Nodes generation by generation; incomplete if there is a cycle. */
export const generations = (graph: CompactGraph): Uint32Array => {
  const { nodeCount, offsets, targets } = graph;
  const waiting = Uint32Array.from(inDegrees(graph));
  const order = new Uint32Array(nodeCount);
  let size = 0;
  for (let node = 0; node < nodeCount; node++) if (waiting[node] === 0) order[size++] = node;
  for (let place = 0; place < size; place++) {
    const node = order[place]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const target = targets[edge]!;
      if (--waiting[target]! === 0) order[size++] = target;
    }
  }
  return order.subarray(0, size);
};

export const isAcyclic = (graph: CompactGraph): boolean => generations(graph).length === graph.nodeCount;

/** Collects the edges of a directed graph in the order of their sources, and finds out whether they form a cycle. */
export class CycleCheck {
  private readonly offsets: Uint32Array;
  private readonly targets: Uint32Array;
  private edgeCount = 0;

  constructor(
    private readonly nodeCount: number,
    maxEdges: number,
  ) {
    this.offsets = new Uint32Array(nodeCount + 1);
    this.targets = new Uint32Array(maxEdges);
  }

  /** An edge by the numbers of its nodes; `from` is not below that of the edge before. */
  add(from: number, to: number): void {
    this.offsets[from + 1]!++;
    this.targets[this.edgeCount++] = to;
  }

  /** To be called once, after the last edge. */
  hasCycle(): boolean {
    const { nodeCount, offsets, edgeCount } = this;
    for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
    const targets = this.targets.subarray(0, edgeCount);
    return !isAcyclic({ nodeCount, directed: true, offsets, targets, weights: null });
  }
}
