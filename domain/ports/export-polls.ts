import { type PollState } from '../export-job';

/** One claim of an export job. */
export interface ClaimedJob {
  readonly jobId: number;
  readonly attempt: number;
}

/**
 * The polls of running queries. They change every few seconds and nothing is decided on them, so they are rows instead
 * of events; a job without a row is polled as it was submitted. Calls reject when the store is unavailable.
 */
export interface ExportPolls {
  /** Saves the fields that a worker reported; the others do not change. */
  save(job: ClaimedJob, reported: PollState): Promise<void>;
  /** Reserves jobs whose poll is due for one poller until then; returns those that no other poller has reserved. */
  hold(jobs: readonly ClaimedJob[], now: Date, until: Date): Promise<readonly ClaimedJob[]>;
}
