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
  readonly timings: Partial<RunTimings>;
  readonly end: ExecutionEnd | null;
  readonly warnings: readonly string[];
  /** Null: unknown. */
  readonly estimatedSeconds: number | null;
}

/** Where the time of a run went, in seconds of the clock. */
export interface RunTimings {
  /** Starting the process of the run. */
  readonly startSeconds: number;
  /** Reading the graph into memory. */
  readonly graphSeconds: number;
  /** Most resident memory of the run's process until the graph had been read, in bytes. */
  readonly graphMemoryBytes: number;
  /** The algorithm itself. */
  readonly computeSeconds: number;
  /** Finding the nodes a request names, and reading the keys of those an answer names. */
  readonly keysSeconds: number;
  /** Writing down what was found. */
  readonly outputSeconds: number;
  /** Storing it on the nodes. */
  readonly storeSeconds: number;
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
