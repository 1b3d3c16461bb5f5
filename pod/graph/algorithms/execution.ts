import { type RunTimings } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { type AlgorithmRequest } from './algorithm-request';

/** One run of an algorithm. */
export interface Execution {
  readonly executionId: string;
  readonly request: AlgorithmRequest;
  readonly username: string;
  readonly startedAt: Date;
  /** Share of the work done, 0 to 1, as far as the algorithm reports it. */
  readonly progress: number;
  /** What is known so far; stays empty for an algorithm the engine runs itself. */
  readonly timings: RunTimings;
  readonly end: ExecutionEnd | null;
  readonly warnings: readonly string[];
  /** Null: unknown. */
  readonly estimatedSeconds: number | null;
}

export type ExecutionEnd =
  | { readonly status: 'completed'; readonly at: Date; readonly result: ExecutionResult }
  | { readonly status: 'failed'; readonly at: Date; readonly error: string }
  | { readonly status: 'cancelled'; readonly at: Date };

export type ExecutionResult =
  | { readonly kind: 'property'; readonly nodesUpdated: number }
  /** JSON text of the result in a file, which lives as long as the execution is remembered. */
  | { readonly kind: 'file'; readonly file: string };

export type ExecutionStatus = 'running' | ExecutionEnd['status'];

export const statusOf = ({ end }: Execution): ExecutionStatus => end?.status ?? 'running';
