import { randomUUID } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type InstanceLock, type LockHolder } from '../lock/instance-lock';
import {
  type Execution,
  type ExecutionEnd,
  type ExecutionResult,
  type Executions,
  type RunTimings,
} from './executions';

export interface RunRequest extends Pick<Execution, 'algorithm' | 'type' | 'username' | 'propertyName' | 'writeBack'> {
  /** Longest time the run may take. */
  readonly timeoutMs: number;
}

/** What a run gets from who manages it. */
export interface RunControl {
  readonly executionId: string;
  /** Aborts when the run is cancelled, takes too long or the pod ends. */
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** Adds to what is known of the times. */
  readonly onTimings: (timings: Partial<RunTimings>) => void;
}

/** Does the work; left is in words for people why it failed. May go on for a moment after the signal. */
export type RunWork = (control: RunControl) => Promise<Either<string, ExecutionResult>>;

/** Starts and ends runs: one at a time, under the lock of the instance, which is free again after every end. */
export interface Runs {
  /** Takes the lock and starts; the run goes on after the answer. */
  readonly start: (request: RunRequest, work: RunWork) => Either<DomainError, Execution>;
  /** Ends a run in progress and answers when it has ended. */
  readonly cancel: (executionId: string) => Promise<Either<DomainError, Execution>>;
  /** Ends the run in progress, if any. */
  readonly stop: () => void;
}

export interface RunsOptions {
  readonly lock: InstanceLock;
  readonly executions: Executions;
  readonly now: () => Date;
  readonly onActivity: () => void;
}

export const createRuns = ({ lock, executions, now, onActivity }: RunsOptions): Runs => {
  let current: {
    readonly executionId: string;
    readonly abort: (why: Abort) => void;
    readonly ended: Promise<void>;
  } | null = null;

  return {
    start: ({ timeoutMs, ...request }, work) => {
      const executionId = randomUUID();
      const startedAt = now();
      const { username, algorithm } = request;
      const taken = lock.acquire({ username, algorithm, executionId, acquiredAt: startedAt });
      if ('heldBy' in taken) return left(locked(taken.heldBy));
      const execution = executions.start({ ...request, executionId, startedAt });
      onActivity();
      const controller = new AbortController();
      let aborted: Abort | null = null;
      const abort = (why: Abort): void => {
        aborted ??= why;
        controller.abort();
      };
      const timer = setTimeout(() => abort('timeout'), timeoutMs);
      const onProgress = (progress: number): void => executions.update(executionId, { progress });
      const onTimings = (timings: Partial<RunTimings>): void =>
        executions.update(executionId, { timings: { ...executions.find(executionId)?.timings, ...timings } });
      const run = async (): Promise<void> => {
        let end: ExecutionEnd;
        try {
          const outcome = await work({ executionId, signal: controller.signal, onProgress, onTimings });
          end = endOf(outcome, aborted, timeoutMs, now());
        } catch (error) {
          end = { status: 'failed', at: now(), error: error instanceof Error ? error.message : String(error) };
        }
        clearTimeout(timer);
        current = null;
        executions.update(executionId, { end });
        taken.release();
        onActivity();
      };
      // The work begins after `current` is set, so that it can be ended from its first moment.
      const ended = Promise.resolve().then(run);
      current = { executionId, abort, ended };
      return right(execution);
    },
    cancel: async (executionId) => {
      if (current?.executionId !== executionId) return left(notRunning(executionId));
      const { abort, ended } = current;
      abort('cancelled');
      await ended;
      const execution = executions.find(executionId);
      return execution?.end?.status === 'cancelled' ? right(execution) : left(notRunning(executionId));
    },
    stop: () => current?.abort('cancelled'),
  };
};

type Abort = 'cancelled' | 'timeout';

/** A run that got its result stored before the signal reached it has completed. */
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

const notRunning = (executionId: string): DomainError =>
  domainError('EXECUTION_NOT_FOUND', `No execution ${executionId} is running; /algo/executions lists what there was.`, {
    execution_id: executionId,
  });

const locked = ({ username, algorithm, acquiredAt }: LockHolder): DomainError =>
  domainError(
    'RESOURCE_LOCKED',
    `${username} runs ${algorithm} on this instance since ${acquiredAt.toISOString()}; try again when /lock shows locked: false.`,
    { holder_id: username, holder_username: username, algorithm, acquired_at: acquiredAt.toISOString() },
  );
