/**
 * Exports that should have gone on by now, from read models that may be behind: the streams decide. Calls reject when
 * the store is away.
 */
export interface ExportDirectory {
  /** Jobs whose claim lapsed before a time. */
  lapsedClaims(before: Date): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
  /**
   * Jobs whose worker is gone for sure: it has not told for long how a query goes that runs inside itself, or the
   * control plane it belongs to has not renewed its lease.
   */
  abandonedJobs(silentSince: Date): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
  /** Ids of jobs that were claimed, or begun by a submitter, before a time and have not ended. */
  openJobs(begunBefore: Date): Promise<readonly number[]>;
  /** Ids of snapshots without a result whose last job ended before a time. */
  undecidedSnapshots(endedBefore: Date): Promise<readonly number[]>;
}
