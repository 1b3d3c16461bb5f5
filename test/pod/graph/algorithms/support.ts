import { type KernelResult, type KernelRun } from '../../../../pod/graph/algorithms/algorithm';
import { KERNELS } from '../../../../pod/graph/algorithms/catalogue';
import {
  buildCompactGraph,
  type CompactGraph,
  type ParallelWeights,
} from '../../../../pod/graph/algorithms/graph/compact-graph';
import { decodeParameters } from '../../../../pod/graph/algorithms/signature';
import { right } from '../support/loaded-engine';

export type Edge = readonly [number, number, number?];

export interface GraphOptions {
  readonly directed?: boolean;
  readonly weighted?: boolean;
  readonly parallel?: ParallelWeights | undefined;
}

export const graphOf = (
  nodeCount: number,
  edges: readonly Edge[],
  { directed = false, weighted = false, parallel = 'sum' }: GraphOptions = {},
): CompactGraph =>
  buildCompactGraph(
    {
      nodeCount,
      directed,
      from: Uint32Array.from(edges, ([from]) => from),
      to: Uint32Array.from(edges, ([, to]) => to),
      weights: weighted ? Float64Array.from(edges, ([, , weight = 1]) => weight) : null,
    },
    parallel,
  );

interface RunOptions {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly source?: number;
  readonly target?: number;
  readonly iterated?: KernelRun['iterated'];
}

/** Runs a kernel by name; node keys are numbers as text. */
export const attempt = (
  name: string,
  graph: CompactGraph,
  { parameters = {}, source, target, iterated = () => undefined }: RunOptions = {},
) => {
  const kernel = KERNELS.find((known) => known.name === name)!;
  return kernel.compute(graph, right(decodeParameters(kernel.parameters, parameters)), {
    source: source ?? null,
    target: target ?? null,
    numberOf: (key) => (/^\d+$/.test(key) && Number(key) < graph.nodeCount ? Number(key) : null),
    progress: () => undefined,
    iterated,
  });
};

export const run = (name: string, graph: CompactGraph, options: RunOptions = {}): KernelResult =>
  right(attempt(name, graph, options));

export const valuesOf = (result: KernelResult): number[] => {
  if (result.type !== 'node_values') throw new Error(`Expected values per node, got ${result.type}.`);
  return [...result.values];
};

export const scalarOf = (result: KernelResult): number | boolean => {
  if (result.type !== 'scalar') throw new Error(`Expected a scalar, got ${result.type}.`);
  return result.value;
};
