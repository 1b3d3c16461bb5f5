import { type JobName, type RunOutcome } from '../job';
import { type Lease } from './lease-store';

/** The state of a job between its runs. */
export interface JobProgress {
  /** Start of its last run, null when there was none. */
  readonly lastStartedAt: Date | null;
  readonly nextRunAt: Date;
}

export interface EndedRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly triggeredBy: string | null;
  readonly outcome: RunOutcome;
}

/**
 * Times of the last and next runs of the jobs. This is telemetry, which rebuilds do not change; the history of the jobs
 * is in the log. Calls reject when the store is unavailable.
 */
export interface JobRuns {
  /**
   * Called by a new holder of the lease: runs still marked as running died with the previous holder. A job without a
   * next run gets the first one.
   */
  takeOver(name: JobName, firstRunAt: Date): Promise<JobProgress>;
  /** Marks a job as running; returns false and does nothing when the lease is lost. */
  begin(name: JobName, startedAt: Date, lease: Lease): Promise<boolean>;
  end(name: JobName, run: EndedRun, nextRunAt: Date): Promise<void>;
}
