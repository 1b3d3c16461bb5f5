import { type Either } from 'fp-ts/Either';
import { type CliFailure } from '../failure';

/** What somebody wants to run, in words both kinds of instances share; each says it in its own body. */
export interface Wish {
  readonly name: string;
  /** The graph library's algorithm, although the instance has one of its own with this name. */
  readonly fromLibrary: boolean;
  readonly labels: readonly string[];
  readonly edgeTypes: readonly string[];
  /** Property the values are stored in. */
  readonly writeTo: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly directed: boolean;
  readonly weight: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly timeoutMs: number | undefined;
}

export interface ListedAlgorithm {
  readonly name: string;
  /** Of the instance itself, not of the graph library. */
  readonly native: boolean;
  readonly category: string;
  readonly returns: string;
  readonly description: string;
}

export interface AlgorithmParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: unknown;
  readonly description: string;
}

export interface AlgorithmDetails {
  readonly data: object;
  readonly fields: readonly (readonly [string, unknown])[];
  readonly parameters: readonly AlgorithmParameter[];
}

/** A run, whichever kind of instance does it. */
export interface Run {
  /** As the instance tells it. */
  readonly data: object;
  readonly id: string;
  readonly algorithm: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly username: string;
  readonly startedAt: string;
  /** So far, or in all. */
  readonly seconds: number | null;
  /** 0 to 1. */
  readonly progress: number | null;
  readonly result: RunResult | null;
  readonly error: string | null;
}

/** What a run found; which fields there are depends on the algorithm. */
export interface RunResult {
  readonly property_name?: string;
  readonly nodes_updated?: number;
  readonly type?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly path?: readonly string[];
  readonly length?: number;
  readonly hop_count?: number;
  readonly total_weight?: number | string;
  readonly value?: number | string | boolean;
  readonly predictions?: readonly object[];
  readonly edges?: readonly object[];
}

export type Answer<A> = Promise<Either<CliFailure, A>>;

export const STATES = ['running', 'completed', 'failed', 'cancelled'] as const;

export interface HistoryQuery {
  readonly limit?: number;
  readonly status_filter?: (typeof STATES)[number];
}

/** The algorithms of one instance. */
export interface Algorithms {
  readonly list: () => Answer<readonly ListedAlgorithm[]>;
  readonly show: (name: string, fromLibrary: boolean) => Answer<AlgorithmDetails>;
  /** Answers the id of the run. */
  readonly start: (wish: Wish) => Answer<{ readonly id: string; readonly data: object }>;
  readonly look: (id: string) => Answer<Run>;
  readonly cancel: (id: string) => Answer<object>;
  readonly history: (query: HistoryQuery) => Answer<{ readonly data: object; readonly runs: readonly Run[] }>;
}
