/** The export jobs that could be claimed or polled now. Calls reject when the store is away. */
export interface ExportJobQueue {
  /** Ids of pending jobs, oldest first, `except` for some. The claim itself is decided on each job's stream. */
  claimable(limit: number, except: readonly number[]): Promise<readonly number[]>;
  /** Jobs that workers whose name begins like this have claimed and not ended. */
  heldBy(workerPrefix: string): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
}
