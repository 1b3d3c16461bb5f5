import { type RunTimings } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { type GraphEngine } from '../engine/graph-engine';
import { type LoadedTable } from '../loading/load-graph';
import { type Convergence, type ValueType } from './algorithm';
import { type ParallelWeights } from './graph/compact-graph';

/** The input of an algorithm's process: plain data, sent once. */
export interface AlgorithmJob {
  /** The kind of the instance, which has the algorithm in its catalogue. */
  readonly kind: GraphEngine['kind'];
  readonly algorithm: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly graph: GraphSource;
  /** Keys of nodes, as in the request. */
  readonly source: string | null;
  readonly target: string | null;
  readonly output: JobOutput;
  readonly scratchDirectory: string;
  readonly memoryBytes: number;
  readonly threads: number;
}

/** The source of the compact graph. */
export interface GraphSource {
  readonly directed: boolean;
  readonly parallel: ParallelWeights;
  readonly nodes: readonly (GraphTable & { readonly label: string; readonly keyColumn: string })[];
  readonly edges: readonly (GraphTable & {
    readonly fromColumn: string;
    readonly toColumn: string;
    /** Indexes in `nodes` of the labels of both ends. */
    readonly from: number;
    readonly to: number;
    /** Null: every edge has the weight 1. */
    readonly weightColumn: string | null;
  })[];
}

type GraphTable = Pick<LoadedTable, 'files' | 'rowCount'>;

export type JobOutput =
  /** One Parquet file per label with the columns `key` and `value`, in the order of `graph.nodes`. */
  | { readonly kind: 'values'; readonly files: readonly string[]; readonly valueType: ValueType }
  /** A file with the JSON text of the result. */
  | ({ readonly kind: 'json'; readonly file: string } & ResultShape);

export interface ResultShape {
  readonly valueType: ValueType | null;
  /** Return a path in the format of the instance's own algorithms. */
  readonly native: boolean;
  /** Number of values, highest first; null: all. */
  readonly top: number | null;
}

/** The state of a run, as far as it has changed. */
export interface RunReport {
  /** From 0 to 1. */
  readonly progress?: number;
  readonly timings?: RunTimings;
  readonly convergence?: Convergence;
}

export type JobMessage =
  | { readonly type: 'report'; readonly report: RunReport }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly reason: string };
