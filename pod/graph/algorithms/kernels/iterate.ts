import { type KernelRun } from '../algorithm';
import { type CompactGraph, weightOf } from '../graph/compact-graph';

interface Limits {
  readonly max_iter: number;
  readonly tol: number;
}

/** Repeats a step until the change that it returns is below `tol`, or `max_iter` times; reports how it ended. */
export const iterate = ({ max_iter: most, tol }: Limits, run: KernelRun, step: () => number): boolean => {
  for (let iterations = 1; ; iterations++) {
    const lastChange = step();
    const hasConverged = lastChange < tol;
    if (hasConverged || iterations >= most || Number.isNaN(lastChange)) {
      run.iterated({ iterations, lastChange, hasConverged });
      return hasConverged;
    }
    run.progress(iterations / most);
  }
};

/** Adds to each node of `into` the values of its incoming edges. */
export const flow = (graph: CompactGraph, values: Float64Array, into: Float64Array): void => {
  const { nodeCount, offsets, targets } = graph;
  for (let node = 0; node < nodeCount; node++) {
    const value = values[node]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      into[targets[edge]!]! += value * weightOf(graph, edge);
    }
  }
};

/** The largest change of a value, relative to the value. */
export const relativeChange = (next: Float64Array, last: Float64Array): number => {
  let most = 0;
  for (let node = 0; node < next.length; node++) {
    const change = Math.abs(next[node]! - last[node]!);
    if (change > 0) most = Math.max(most, change / Math.abs(next[node]!));
  }
  return most;
};

/** The largest change of a value, relative to the largest value. */
export const largestChange = (next: Float64Array, last: Float64Array): number => {
  let [change, largest] = [0, 0];
  for (let node = 0; node < next.length; node++) {
    change = Math.max(change, Math.abs(next[node]! - last[node]!));
    largest = Math.max(largest, Math.abs(next[node]!));
  }
  return change === 0 ? 0 : change / largest;
};
