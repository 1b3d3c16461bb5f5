import { type Either } from 'fp-ts/Either';
import { type CompactGraph } from './graph/compact-graph';
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

/** The kinds of result the API has. */
export type ResultKind = 'node_values' | 'path' | 'scalar' | 'edge_predictions' | 'edges';

export interface KernelRun {
  readonly source: number | null;
  readonly target: number | null;
  /** The number of a node key, or null. */
  readonly numberOf: (key: string) => number | null;
  /** Share of the work done, 0 to 1; cheap to call. */
  readonly progress: (share: number) => void;
}

export type Category = 'centrality' | 'community' | 'clustering' | 'components' | 'cores' | 'paths' | 'link_prediction' | 'structure' | 'trees' | 'dag'; // prettier-ignore

/** One algorithm on the compact graph. Names, parameters, defaults and definitions are NetworkX's. */
export interface Kernel<S extends Signature = Signature> {
  /** The name NetworkX has for it. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: Category;
  /** One sentence. */
  readonly description: string;
  /** Definition, special cases and limits. */
  readonly details: string;
  readonly returns: ResultKind;
  /** What a written-back value is; null when there is no value per node. */
  readonly valueType: ValueType | null;
  /** Which graphs it is defined on; `directed` and `undirected` also say what a request without `directed` means. */
  readonly graph: 'either' | 'directed' | 'undirected';
  /** Whether the request names nodes: path algorithms need them, link prediction may narrow with them. */
  readonly ends: 'none' | 'source' | 'source and target' | 'optional';
  /** Whether `weight_property` means something. */
  readonly weighted: boolean;
  readonly parameters: S;
  /** Most nodes it takes, where its work or its result grows with their square or worse; null: any number. */
  readonly mostNodes: number | null;
  /** Answers in words for people why there is no result. */
  readonly compute: (graph: CompactGraph, parameters: ParametersOf<S>, run: KernelRun) => Either<string, KernelResult>;
}

type EmptySignature = Readonly<Record<string, never>>;

type Declared<S extends Signature> = Pick<
  Kernel<S>,
  'name' | 'category' | 'description' | 'details' | 'returns' | 'compute'
> &
  Partial<Kernel<S>>;

/** Declares a kernel; what is left out is the usual: no aliases, either kind of graph, no weights, no parameters. */
export const kernel = <S extends Signature = EmptySignature>(declared: Declared<S>): Kernel => {
  const complete: Kernel<S> = {
    aliases: [],
    valueType: declared.returns === 'node_values' ? 'DOUBLE' : null,
    graph: 'either',
    ends: 'none',
    weighted: false,
    // The signature of a kernel without parameters is the empty one.
    parameters: {} as S,
    mostNodes: null,
    ...declared,
  };
  return {
    ...complete,
    // `decodeParameters` makes them from this very signature.
    compute: (graph, parameters, run) => complete.compute(graph, parameters as ParametersOf<S>, run),
  };
};
