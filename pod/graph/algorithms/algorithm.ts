import { type Either, right } from 'fp-ts/Either';
import { mapRight } from '../../../domain/kernel/either';
import { type CompactGraph, type ParallelWeights } from './graph/compact-graph';
import { type LibraryFunction } from './library/library-function';
import { type ParametersOf, type Signature } from './signature';

export type NodeValues = Float64Array | Uint32Array | Int32Array;
/** Type of a value that is stored on nodes. */
export type ValueType = 'DOUBLE' | 'INT64' | 'BOOL';

/** The result of an algorithm; nodes are numbers of the compact graph. */
export type KernelResult =
  | { readonly type: 'node_values'; readonly values: NodeValues }
  | { readonly type: 'node_maps'; readonly maps: Readonly<Record<string, NodeValues>> }
  /** `length`: number of edges. */
  | { readonly type: 'path'; readonly nodes: readonly number[]; readonly totalWeight: number }
  | { readonly type: 'order'; readonly nodes: ArrayLike<number> }
  | { readonly type: 'scalar'; readonly value: number | boolean }
  | { readonly type: 'edge_predictions'; readonly scores: readonly PairScore[] }
  | { readonly type: 'edges'; readonly edges: readonly WeightedEdge[] };

/** Source, target and score. */
export type PairScore = readonly [number, number, number];
/** Source, target and weight. */
export type WeightedEdge = readonly [number, number, number];

export interface KernelRun {
  readonly source: number | null;
  readonly target: number | null;
  /** The number of a node key, or null. */
  readonly numberOf: (key: string) => number | null;
  /** Share of the work done, 0 to 1; cheap to call. */
  readonly progress: (share: number) => void;
  /** Reports how the iterations of the algorithm ended. */
  readonly iterated: (end: Convergence) => void;
}

/** How the iterations of a run ended. */
export interface Convergence {
  readonly iterations: number;
  /** The last change of the values, as the algorithm measures it. */
  readonly lastChange: number;
  /** Whether the change is below the tolerance; otherwise the number of iterations was the limit. */
  readonly hasConverged: boolean;
}

/** How an algorithm uses the weights of edges. */
export interface WeightUse {
  /** The weight of one edge from those of parallel rows, and of rows in both directions in an undirected graph. */
  readonly parallel: ParallelWeights;
  /** The weights for which it has a meaning. */
  readonly allowed: 'all' | 'not negative' | 'positive';
}

export const SUMS: WeightUse = { parallel: 'sum', allowed: 'all' };
/** Shares of a flow, or fractions of a total. */
export const FLOWS: WeightUse = { parallel: 'sum', allowed: 'not negative' };
export const DISTANCES: WeightUse = { parallel: 'least', allowed: 'not negative' };
/** Shortest paths are counted only if every step has a length. */
export const PATHS: WeightUse = { parallel: 'least', allowed: 'positive' };

/** Name, parameters and result of an algorithm, independent of its implementation. */
interface Description<S extends Signature> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: string;
  /** One sentence. */
  readonly description: string;
  /** Definition, special cases and limits. */
  readonly details: string;
  /** The kind of result, as in the API. */
  readonly returns: 'node_values' | 'path' | 'scalar' | 'edge_predictions' | 'edges';
  /** Type of a stored value; null without a value per node. */
  readonly valueType: ValueType | null;
  /** The graphs for which it is defined; `directed` and `undirected` are also the default of the field `directed`. */
  readonly graph: 'either' | 'directed' | 'undirected';
  /** Whether the request names nodes: required for path algorithms, an optional filter for link prediction. */
  readonly ends: 'none' | 'source' | 'source and target' | 'optional';
  /** How it uses `weight_property`; null: not at all. */
  readonly weights: WeightUse | null;
  readonly parameters: S;
  /** Maximum number of nodes, if its work or its result grows with their square or worse; null: unlimited. */
  readonly maxNodes: number | null;
  readonly maxEdges: number | null;
  readonly defaultTimeoutMs: number;
  /** Approximate number of visits to nodes and edges, to estimate its duration; null: unknown. */
  readonly steps: ((size: GraphSize, parameters: Readonly<Record<string, unknown>>) => number) | null;
}

export interface GraphSize {
  readonly nodes: number;
  readonly edges: number;
}

/**
 * An algorithm implemented here on the compact graph. Names, parameters, defaults and definitions are those of
 * NetworkX.
 */
export interface Kernel<S extends Signature = Signature> extends Description<S> {
  readonly engine: 'kernel';
  /**
   * The call of NetworkX that agrees: on `M`, a multigraph with an edge per row, or on `G`, a graph with one edge per
   * pair, whose weight is that of `weights.parallel`; by default the one of its name on `G`.
   */
  readonly networkx: string;
  /** Left: the message of a failure. */
  readonly compute: (graph: CompactGraph, parameters: ParametersOf<S>, run: KernelRun) => Either<string, KernelResult>;
}

/** A function of the installed graph library, on a copy of the graph in the library's format. */
export interface LibraryAlgorithm extends Description<Signature> {
  readonly engine: 'library';
  readonly callable: LibraryFunction;
}

/** An entry of the catalogue: the list, the checks of requests, the plan and the documentation are derived from it. */
export type Algorithm = Kernel | LibraryAlgorithm;

const ONE_HOUR_MS = 3_600_000;

/** Defaults of most algorithms. */
export const USUAL = {
  aliases: [],
  details: '',
  graph: 'either',
  ends: 'none',
  weights: null,
  parameters: {},
  maxNodes: null,
  maxEdges: null,
  defaultTimeoutMs: ONE_HOUR_MS,
  steps: ({ nodes, edges }: GraphSize) => nodes + edges,
} as const;

type NoParameters = Readonly<Record<string, never>>;
type Described<S extends Signature> = Pick<Kernel<S>, 'name' | 'category' | 'description'> & Partial<Kernel<S>>;

/** A result, or left: the message of a failure. */
type Computed<A> = A | Either<string, A>;
type Compute<S extends Signature, A> = (
  graph: CompactGraph,
  parameters: ParametersOf<S>,
  run: KernelRun,
) => Computed<A>;

const asEither = <A extends object | number | boolean>(computed: Computed<A>): Either<string, A> =>
  typeof computed === 'object' && '_tag' in computed ? computed : right(computed);

/** Declares a kernel; omitted fields have the defaults. */
export const kernel = <S extends Signature = NoParameters>(
  declared: Omit<Described<S>, 'compute'> & Pick<Kernel, 'returns'> & { readonly compute: Compute<S, KernelResult> },
): Kernel => ({
  ...USUAL,
  networkx: `\`nx.${declared.name}(G)\``,
  valueType: declared.returns === 'node_values' ? 'DOUBLE' : null,
  ...declared,
  engine: 'kernel',
  // `decodeParameters` creates them from this signature.
  compute: (graph, parameters, run) => asEither(declared.compute(graph, parameters as ParametersOf<S>, run)),
});

/** Declares a kernel with a value per node. */
export const nodeValues = <S extends Signature = NoParameters>({
  values,
  ...declared
}: Described<S> & { readonly values: Compute<S, NodeValues> }): Kernel =>
  kernel<S>({
    ...declared,
    returns: 'node_values',
    compute: (...input) => mapRight(asEither(values(...input)), (of) => ({ type: 'node_values', values: of })),
  });

/** Declares a kernel with one value for the graph. */
export const scalar = <S extends Signature = NoParameters>({
  value,
  ...declared
}: Described<S> & { readonly value: Compute<S, number | boolean> }): Kernel =>
  kernel<S>({
    ...declared,
    returns: 'scalar',
    compute: (...input) => mapRight(asEither(value(...input)), (of) => ({ type: 'scalar', value: of })),
  });

/** Measured on a random graph of a million nodes and five million edges; each step accesses another part of memory. */
const SECONDS_PER_STEP = 3e-8;
const SECONDS_PER_ROW_READ = 2e-7;
const SECONDS_TO_START = 0.5;
const LONG_SECONDS = 120;

/** Expected duration; smaller graphs, which fit in the processor's caches, are faster. Null: unknown. */
export const estimatedSeconds = (
  { steps }: Algorithm,
  size: GraphSize,
  parameters: Readonly<Record<string, unknown>>,
): number | null => {
  if (steps === null) return null;
  const reading = (size.nodes + size.edges) * SECONDS_PER_ROW_READ;
  return Math.ceil(10 * (SECONDS_TO_START + reading + steps(size, parameters) * SECONDS_PER_STEP)) / 10;
};

export const convergenceWarnings = ({ name }: Algorithm, end: Convergence): readonly string[] =>
  end.hasConverged
    ? []
    : [
        `${name} ended after ${end.iterations} iterations (max_iter), before its values had converged: the last change was ` +
          `${end.lastChange.toPrecision(2)}. Raise max_iter, or tol if fewer digits are enough.`,
      ];

export const longRunWarnings = (algorithm: Algorithm, seconds: number | null, timeoutMs: number): readonly string[] => {
  if (seconds === null || seconds <= LONG_SECONDS) return [];
  const limit = seconds * 1000 > timeoutMs ? `, longer than its limit of ${timeoutMs / 1000} s (timeout_ms)` : '';
  const sample = ['k', 'sampling_size'].find((name) => name in algorithm.parameters);
  const advice = sample === undefined ? '' : `; ${sample} makes it an estimate from fewer nodes`;
  return [`${algorithm.name} will take about ${Math.round(seconds)} s on this graph${limit}${advice}.`];
};

/** A search from each of some nodes; null: from all. */
export const searches = ({ nodes, edges }: GraphSize, from: unknown): number =>
  Math.min(nodes, typeof from === 'number' ? from : nodes) * (nodes + 2 * edges);

/** Rounds over all edges until values no longer change. */
export const rounds = ({ nodes, edges }: GraphSize, most: unknown): number =>
  Math.min(50, typeof most === 'number' ? most : 50) * (nodes + 2 * edges);

/** Intersection of the neighbours of both ends of each edge. */
export const commonNeighbours = ({ edges }: GraphSize): number => edges * Math.sqrt(edges);
