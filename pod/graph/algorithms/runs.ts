import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type RunTimings } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { reasonOf } from '../engine/engine-failure';
import { type Convergence, convergenceWarnings, longRunWarnings } from './algorithm';
import { type RunReport } from './algorithm-job';
import { type AlgorithmRequest } from './algorithm-request';
import { type PlannedRun } from './plan-run';

/** One run of an algorithm. */
export interface Execution {
  readonly executionId: string;
  readonly request: AlgorithmRequest;
  readonly username: string;
  readonly startedAt: Date;
  /** Progress from 0 to 1, as reported by the algorithm. */
  readonly progress: number;
  /** Timings so far; empty for an algorithm that the engine runs. */
  readonly timings: RunTimings;
  /** How its iterations ended; null before, and for algorithms without iterations. */
  readonly convergence: Convergence | null;
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
  /** JSON text of the result in a file, which exists until the execution is dropped from the list. */
  | { readonly kind: 'file'; readonly file: string };

export type ExecutionStatus = 'running' | ExecutionEnd['status'];

export const statusOf = ({ end }: Execution): ExecutionStatus => end?.status ?? 'running';

/** Passed to a run by its manager. */
export interface RunControl {
  readonly executionId: string;
  /** Aborts when the run is cancelled, takes too long or the pod ends. */
  readonly signal: AbortSignal;
  /** Timings are added to those before. */
  readonly report: (report: RunReport) => void;
}

/** Runs the algorithm; left: the error message. May continue briefly after the signal. */
export type RunWork = (control: RunControl) => Promise<Either<string, ExecutionResult>>;

const MAX_REMEMBERED = 100;

/**
 * Starts and ends runs, one at a time. A run holds the lock of the instance from before the response to its start until
 * its end. The last hundred runs since the start of the pod are kept.
 */
export class Runs {
  private readonly byId = new Map<string, Execution>();
  private current: RunInProgress | null = null;

  constructor(
    private readonly now: () => Date,
    private readonly onActivity: () => void,
  ) {}

  /** The run that holds the lock. */
  holder(): Execution | undefined {
    return this.current?.execution;
  }

  find(executionId: string): Execution | undefined {
    return this.byId.get(executionId);
  }

  /** Newest first. */
  list(): readonly Execution[] {
    return [...this.byId.values()].reverse();
  }

  /** Acquires the lock and starts the run, which continues after the response. */
  start(
    { request, estimatedSeconds }: StartedRun,
    username: string,
    work: RunWork,
  ): Either<DomainError<'RESOURCE_LOCKED'>, Execution> {
    const holder = this.holder();
    if (holder !== undefined) return left(locked(holder));
    const executionId = randomUUID();
    const startedAt = this.now();
    const warnings = [...request.warnings, ...longRunWarnings(request.algorithm, estimatedSeconds, request.timeoutMs)];
    const execution: Run = { executionId, request, username, startedAt, progress: 0, timings: {}, convergence: null, end: null, warnings, estimatedSeconds }; // prettier-ignore
    this.byId.set(executionId, execution);
    this.forgetOldest();
    this.onActivity();
    const controller = new AbortController();
    let aborted: Abort | null = null;
    const abort = (why: Abort): void => {
      aborted ??= why;
      controller.abort();
    };
    const control: RunControl = {
      executionId,
      signal: controller.signal,
      report: ({ timings, ...changes }) => {
        Object.assign(execution, changes, { timings: { ...execution.timings, ...timings } });
        if (changes.convergence === undefined) return;
        execution.warnings = [...execution.warnings, ...convergenceWarnings(request.algorithm, changes.convergence)];
      },
    };
    const run = async (): Promise<void> => {
      const timer = setTimeout(() => abort('timeout'), request.timeoutMs);
      const outcome = await work(control).catch((error: unknown) => left(reasonOf(error)));
      clearTimeout(timer);
      execution.end = endOf(outcome, aborted, request.timeoutMs, this.now());
      this.current = null;
      this.onActivity();
    };
    // The run starts after `current` is set, so that it can be cancelled immediately.
    this.current = { execution, abort, ended: Promise.resolve().then(run) };
    return right(execution);
  }

  /** Cancels the current run and returns after its end. */
  async cancel(executionId: string): Promise<Either<DomainError<'EXECUTION_NOT_FOUND'>, Execution>> {
    const { current } = this;
    if (current?.execution.executionId !== executionId) return left(notRunning(executionId));
    current.abort('cancelled');
    await current.ended;
    const { execution } = current;
    return execution.end?.status === 'cancelled' ? right(execution) : left(notRunning(executionId));
  }

  /** Ends the current run, if any. */
  stop(): void {
    this.current?.abort('cancelled');
  }

  private forgetOldest(): void {
    const [oldest] = this.byId.values();
    if (this.byId.size <= MAX_REMEMBERED || oldest === undefined) return;
    this.byId.delete(oldest.executionId);
    const { end } = oldest;
    if (end?.status !== 'completed' || end.result.kind !== 'file') return;
    void rm(dirname(end.result.file), { recursive: true, force: true });
  }
}

type StartedRun = Pick<PlannedRun, 'request' | 'estimatedSeconds'>;

type Abort = 'cancelled' | 'timeout';

type Run = { -readonly [Field in keyof Execution]: Execution[Field] };

interface RunInProgress {
  readonly execution: Run;
  readonly abort: (why: Abort) => void;
  readonly ended: Promise<void>;
}

/** A run whose result was stored before the signal counts as completed. */
const endOf = (
  outcome: Either<string, ExecutionResult>,
  aborted: Abort | null,
  timeoutMs: number,
  at: Date,
): ExecutionEnd => {
  if (!isLeft(outcome)) return { status: 'completed', at, result: outcome.right };
  if (aborted === 'cancelled') return { status: 'cancelled', at };
  const tooLong = `The run took longer than its limit of ${timeoutMs} ms; raise timeout_ms or choose a part of the graph.`;
  return { status: 'failed', at, error: aborted === 'timeout' ? tooLong : outcome.left };
};

const notRunning = (executionId: string): DomainError<'EXECUTION_NOT_FOUND'> => {
  const message = `Execution ${executionId} is not running; /algo/executions lists the recent ones.`;
  return domainError('EXECUTION_NOT_FOUND', message, { execution_id: executionId });
};

const locked = ({ username, request: { name: algorithm }, startedAt }: Execution): DomainError<'RESOURCE_LOCKED'> =>
  domainError(
    'RESOURCE_LOCKED',
    `${username} has been running ${algorithm} on this instance since ${startedAt.toISOString()}; try again when /lock shows locked: false.`,
    { holder_id: username, holder_username: username, algorithm, acquired_at: startedAt.toISOString() },
  );
