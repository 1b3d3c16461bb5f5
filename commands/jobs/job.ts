import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type JobName } from '../../domain/job';
import { type DomainError, domainError, type ErrorCode, unavailable } from '../../domain/kernel/errors';
import { type Cause } from '../kit/command-context';

/** Counters of a run for the log and the history: `{ instances_deleted: 2 }`. */
export type JobResult = Readonly<Record<string, number>>;

export interface JobRun {
  /** Aborts when the run must stop: the replica is shutting down or has lost the lease of the jobs. */
  readonly signal: AbortSignal;
  /** The user who triggered this run; null for a scheduled run. */
  readonly triggeredBy: string | null;
  /** The cause of all its commands: the event that triggered it, or the run itself. */
  readonly cause: Cause;
}

/**
 * Periodic work of one replica. `left`: the run failed, with the reason; work completed before the failure is kept.
 */
export interface Job {
  readonly name: JobName;
  run(run: JobRun): Promise<Either<DomainError, JobResult>>;
}

/** The outcome of a run: its counters, or one error for its failures. */
export const outcomeOf = (failures: readonly DomainError[], counts: JobResult): Either<DomainError, JobResult> =>
  failures.length > 0 ? left(summarizeFailures(failures)) : right(counts);

/** All messages, under the code of the first. */
const summarizeFailures = ([first, ...others]: readonly DomainError[]): DomainError => {
  const { code = 'INTERNAL_ERROR', message = '', details } = first ?? {};
  if (others.length === 0) return domainError(code, message, details);
  return domainError(code, `${message} And ${others.length} more: ${others.map((one) => one.message).join(' ')}`);
};

/** Whether a command was carried out; false when a rejection of these says that the resource changed meanwhile. */
export const unlessRejected = (
  done: Either<DomainError, unknown>,
  ...changedMeanwhile: readonly ErrorCode[]
): Either<DomainError, boolean> => {
  if (!isLeft(done)) return right(true);
  return changedMeanwhile.includes(done.left.code) ? right(false) : done;
};

/**
 * Runs a task for each item and returns the number of successes. A failure is added to `failures` and does not stop the
 * rest.
 */
export const countDone = async <A>(
  items: readonly A[],
  signal: AbortSignal,
  failures: DomainError[],
  act: (item: A) => Promise<Either<DomainError, boolean>>,
): Promise<number> => {
  let done = 0;
  for (const item of items) {
    if (signal.aborted) break;
    const result = await act(item).catch((error: unknown) => left(unavailable('A store', String(error))));
    if (isLeft(result)) failures.push(result.left);
    else if (result.right) done += 1;
  }
  return done;
};
