import { type Either } from 'fp-ts/Either';
import { type EngineFailure } from './engine-failure';
import { type GraphProperty } from './graph-schema';

/** The algorithms FalkorDB runs itself, by the names of the API. */
export type ProcedureName = 'betweenness' | 'wcc' | 'cdlp';

/** One run, checked against the graph and with every default filled in. */
export interface ProcedureRun {
  readonly name: ProcedureName;
  /** Null: all nodes. */
  readonly nodeLabels: readonly string[] | null;
  /** Null: all edges. */
  readonly relationshipTypes: readonly string[] | null;
  /** `cdlp`: max_iterations; `betweenness`: sampling_size, sampling_seed (null: any); the others have none. */
  readonly parameters: Readonly<Record<string, number | null>>;
  readonly timeoutMs: number;
  /** Where each node's value goes; null when nothing is to be stored. */
  readonly property: GraphProperty | null;
}

export type ProcedureFailure =
  EngineFailure | { readonly kind: 'timeout'; readonly timeoutMs: number } | { readonly kind: 'cancelled' };

/** The algorithms of an engine. The caller holds the instance's lock: one run at a time. */
export interface EngineProcedures {
  /**
   * Runs to the end and, if wanted, stores the values on the nodes; returns how many nodes have one now. When `signal`
   * aborts, the run ends as `cancelled` and stops storing.
   */
  run(run: ProcedureRun, signal: AbortSignal): Promise<Either<ProcedureFailure, number>>;
}
