/** One run of an algorithm. */
export interface Execution {
  readonly executionId: string;
  readonly algorithm: string;
  readonly username: string;
  readonly startedAt: Date;
  readonly end: ExecutionEnd | null;
}

export type ExecutionEnd =
  | { readonly status: 'completed'; readonly at: Date; readonly propertyName: string; readonly nodesUpdated: number }
  | { readonly status: 'failed'; readonly at: Date; readonly error: string };

/** The runs of this pod since it started; the oldest finished ones are forgotten. */
export interface Executions {
  readonly start: (execution: Omit<Execution, 'end'>) => void;
  readonly finish: (executionId: string, end: ExecutionEnd) => void;
  readonly find: (executionId: string) => Execution | undefined;
}

const MOST_KEPT = 1_000;

export const createExecutions = (): Executions => {
  const byId = new Map<string, Execution>();
  return {
    start: (execution) => {
      byId.set(execution.executionId, { ...execution, end: null });
      const [oldest] = byId.keys();
      if (byId.size > MOST_KEPT && oldest !== undefined) byId.delete(oldest);
    },
    finish: (executionId, end) => {
      const execution = byId.get(executionId);
      if (execution !== undefined) byId.set(executionId, { ...execution, end });
    },
    find: (executionId) => byId.get(executionId),
  };
};
