import { type Either } from 'fp-ts/Either';
import { type ProcedureName } from '../engine/graph-engine';
import { type CompactGraph } from './graph/compact-graph';
import { type LibraryFunction } from './library/library-function';
import { type ParametersOf, type Signature } from './signature';

export type NodeValues = Float64Array | Uint32Array | Int32Array;
/** What one value is, where it is written back. */
export type ValueType = 'DOUBLE' | 'INT64' | 'BOOL';

/** What an algorithm found; nodes are numbers of the compact graph. */
export type KernelResult =
  | { readonly type: 'node_values'; readonly values: NodeValues }
  | { readonly type: 'node_maps'; readonly maps: Readonly<Record<string, NodeValues>> }
  /** `length` counts edges. */
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
}

/** What an algorithm is called, takes and answers, whatever computes it. */
interface Description<S extends Signature> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: string;
  /** One sentence. */
  readonly description: string;
  /** Definition, special cases and limits. */
  readonly details: string;
  /** The kind of result, as the API names it. */
  readonly returns: 'node_values' | 'path' | 'scalar' | 'edge_predictions' | 'edges';
  /** What a written-back value is; null without a value per node. */
  readonly valueType: ValueType | null;
  /** Which graphs it is defined on; `directed` and `undirected` also say what a request without `directed` means. */
  readonly graph: 'either' | 'directed' | 'undirected';
  /** Whether the request names nodes: path algorithms need them, link prediction may narrow with them. */
  readonly ends: 'none' | 'source' | 'source and target' | 'optional';
  /** Whether `weight_property` means something. */
  readonly weighted: boolean;
  readonly parameters: S;
  /** Most nodes it takes, where its work or its result grows with their square or worse; null: any number. */
  readonly maxNodes: number | null;
  readonly maxEdges: number | null;
  readonly defaultTimeoutMs: number;
  /** About how often it visits a node or an edge, for an estimate of its time; null: unknown. */
  readonly steps: ((size: GraphSize, parameters: Readonly<Record<string, unknown>>) => number) | null;
}

export interface GraphSize {
  readonly nodes: number;
  readonly edges: number;
}

/** Own code on the compact graph. Names, parameters, defaults and definitions are NetworkX's. */
export interface Kernel<S extends Signature = Signature> extends Description<S> {
  readonly engine: 'kernel';
  /** Left: the message of a failure. */
  readonly compute: (graph: CompactGraph, parameters: ParametersOf<S>, run: KernelRun) => Either<string, KernelResult>;
}

/** A function of the installed graph library, on a copy of the graph in the library's own form. */
export interface LibraryAlgorithm extends Description<Signature> {
  readonly engine: 'library';
  readonly callable: LibraryFunction;
}

/** An algorithm that instances on FalkorDB offer. */
export interface ProcedureAlgorithm extends Description<Signature> {
  readonly engine: 'falkordb';
  /** What the server runs; null: the kernel of the same name computes it outside the server. */
  readonly procedure: ProcedureName | null;
  readonly displayName: string;
  readonly cypherProcedure: string;
  readonly valueType: ValueType;
}

/** An entry of the catalogue: listing, checks of requests, planning and documentation follow from it. */
export type Algorithm = Kernel | LibraryAlgorithm | ProcedureAlgorithm;

const ONE_HOUR_MS = 3_600_000;

/** What most algorithms have in common. */
export const USUAL = {
  aliases: [],
  details: '',
  graph: 'either',
  ends: 'none',
  weighted: false,
  parameters: {},
  maxNodes: null,
  maxEdges: null,
  defaultTimeoutMs: ONE_HOUR_MS,
  steps: ({ nodes, edges }: GraphSize) => nodes + edges,
} as const;

type Declared<S extends Signature> = Pick<Kernel<S>, 'name' | 'category' | 'description' | 'returns' | 'compute'> &
  Partial<Kernel<S>>;

/** Declares a kernel; what is left out is the usual. */
export const kernel = <S extends Signature = Readonly<Record<string, never>>>(declared: Declared<S>): Kernel => ({
  ...USUAL,
  valueType: declared.returns === 'node_values' ? 'DOUBLE' : null,
  ...declared,
  engine: 'kernel',
  // `decodeParameters` makes them from this very signature.
  compute: (graph, parameters, run) => declared.compute(graph, parameters as ParametersOf<S>, run),
});

/** Measured with a million nodes and five million edges at random, each step somewhere else in memory. */
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

export const longRunWarnings = (algorithm: Algorithm, seconds: number | null, timeoutMs: number): readonly string[] => {
  if (seconds === null || seconds <= LONG_SECONDS) return [];
  const limit = seconds * 1000 > timeoutMs ? `, longer than its limit of ${timeoutMs / 1000} s (timeout_ms)` : '';
  const sample = ['k', 'sampling_size'].find((name) => name in algorithm.parameters);
  const advice = sample === undefined ? '' : `; ${sample} makes it an estimate from fewer nodes`;
  return [`${algorithm.name} will take about ${Math.round(seconds)} s on this graph${limit}${advice}.`];
};

/** A search from each of some nodes, null: of all. */
export const searches = ({ nodes, edges }: GraphSize, from: unknown): number =>
  Math.min(nodes, typeof from === 'number' ? from : nodes) * (nodes + 2 * edges);

/** Rounds over all edges until nothing changes. */
export const rounds = ({ nodes, edges }: GraphSize, most: unknown): number =>
  Math.min(50, typeof most === 'number' ? most : 50) * (nodes + 2 * edges);

/** Looking for common neighbours along every edge. */
export const commonNeighbours = ({ edges }: GraphSize): number => edges * Math.sqrt(edges);
