/** One run of an algorithm. */
export interface Execution {
  readonly executionId: string;
  readonly algorithm: string;
  /** `native`: an algorithm of the instance's kind; `graphlib`: one of the graph library. */
  readonly type: 'native' | 'graphlib';
  readonly username: string;
  readonly startedAt: Date;
  /** Property the result is stored in; null when it is answered. */
  readonly propertyName: string | null;
  readonly writeBack: boolean;
  /** Share of the work done, 0 to 1, as far as the algorithm tells. */
  readonly progress: number;
  /** What is known so far; stays empty for an algorithm the engine runs itself. */
  readonly timings: Partial<RunTimings>;
  readonly end: ExecutionEnd | null;
}

/** Where the time of a run went, in seconds of the clock. */
export interface RunTimings {
  /** Reading the graph into memory. */
  readonly graphSeconds: number;
  /** Most resident memory of the run's process until the graph had been read, in bytes. */
  readonly graphMemoryBytes: number;
  /** The algorithm itself. */
  readonly computeSeconds: number;
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

export type ExecutionStatusName = 'running' | ExecutionEnd['status'];

export const statusOf = ({ end }: Execution): ExecutionStatusName => end?.status ?? 'running';

/** The runs of this pod since it started, newest first; all but the last hundred are forgotten. */
export interface Executions {
  readonly start: (execution: Omit<Execution, 'end' | 'progress' | 'timings'>) => Execution;
  readonly update: (executionId: string, change: Partial<Pick<Execution, 'end' | 'progress' | 'timings'>>) => void;
  readonly find: (executionId: string) => Execution | undefined;
  readonly list: () => readonly Execution[];
}

export const MOST_REMEMBERED = 100;

export const createExecutions = (onForgotten: (execution: Execution) => void = () => undefined): Executions => {
  const byId = new Map<string, Execution>();
  return {
    start: (begun) => {
      const execution: Execution = { ...begun, progress: 0, timings: {}, end: null };
      byId.set(begun.executionId, execution);
      const [oldest] = byId.values();
      if (byId.size > MOST_REMEMBERED && oldest !== undefined) {
        byId.delete(oldest.executionId);
        onForgotten(oldest);
      }
      return execution;
    },
    update: (executionId, change) => {
      const execution = byId.get(executionId);
      if (execution !== undefined) byId.set(executionId, { ...execution, ...change });
    },
    find: (executionId) => byId.get(executionId),
    list: () => [...byId.values()].reverse(),
  };
};
