import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError, domainError, unavailable } from '../../domain/kernel/errors';
import { type JobName } from '../../domain/job';

/** What a run did, counted by kind of thing, for the log and the history: `{ instances_deleted: 2 }`. */
export type JobResult = Readonly<Record<string, number>>;

export interface JobRun {
  /** Aborted when this replica must stop at once: it ends or has lost the jobs' lease. */
  readonly signal: AbortSignal;
  /** Who ordered this run by hand; null for a scheduled one. */
  readonly triggeredBy: string | null;
}

/**
 * Work done every now and then by one replica. `left` counts as a failed run and says why; what could be done before is
 * done all the same.
 */
export interface Job {
  readonly name: JobName;
  run(run: JobRun): Promise<Either<DomainError, JobResult>>;
}

/** One error for a run with several failures: all messages, under the code of the first. */
export const summarizeFailures = ([first, ...others]: readonly DomainError[]): DomainError => {
  const { code = 'INTERNAL_ERROR', message = '', details } = first ?? {};
  if (others.length === 0) return domainError(code, message, details);
  return domainError(code, `${message} And ${others.length} more: ${others.map((one) => one.message).join(' ')}`);
};

/** For how many items something was done. One that fails does not keep the others: why is added to `failures`. */
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
