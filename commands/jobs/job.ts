import { type Either } from 'fp-ts/Either';
import { type JobName } from '../../domain/job';
import { type DomainError } from '../../domain/kernel/errors';

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
