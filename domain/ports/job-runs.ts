import { type JobName, type RunOutcome } from '../job';
import { type Lease } from './lease-store';

/** Where a job stands between its runs. */
export interface JobProgress {
  /** Start of its last run, null when there was none. */
  readonly lastStartedAt: Date | null;
  readonly nextRunAt: Date | null;
}

export interface EndedRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly triggeredBy: string | null;
  readonly outcome: RunOutcome;
}

/**
 * When jobs ran and will run. Telemetry: what is worth keeping is in the log. No rebuild touches it. Calls reject when
 * the store is away.
 */
export interface JobRuns {
  /** Called by a new holder of the lease: whatever is marked as running died with the one before. */
  takeOver(name: JobName): Promise<JobProgress>;
  /** Marks a job as running; false, and nothing is marked, when the lease is not held any more. */
  begin(name: JobName, startedAt: Date, lease: Lease): Promise<boolean>;
  end(name: JobName, run: EndedRun, nextRunAt: Date): Promise<void>;
}
