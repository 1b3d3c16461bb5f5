/** Which instances there are, for jobs that look after them. Calls reject when the store is away. */
export interface InstanceDirectory {
  /** Ids of the instances that wait, start, run or stop. Their streams decide. */
  unsettled(): Promise<readonly number[]>;
  /** The latest use of memory that pods of running instances have reported. */
  memoryUse(): Promise<readonly MeasuredMemory[]>;
}

export interface MeasuredMemory {
  readonly instanceId: number;
  readonly usedBytes: number;
  /** When the pod reported it. */
  readonly measuredAt: Date;
}

/** Which resources may have come to the end of their lives. Calls reject when the store is away. */
export interface LifeDirectory {
  /** Ids of instances that may end now, from read models that may be behind: their streams decide. */
  endingInstances(now: Date): Promise<readonly number[]>;
  /** Ids of snapshots no instance seems to use that may end now. */
  endingSnapshots(now: Date): Promise<readonly number[]>;
  /** Ids of mappings without snapshots that may end now. */
  endingMappings(now: Date): Promise<readonly number[]>;
  /** The last query or algorithm a pod has reported, null when there was none. Always up to date. */
  lastActivityOf(instanceId: number): Promise<Date | null>;
}

/**
 * Exports that are overdue, from read models that may lag: the streams decide. Calls reject when
 * the store is away.
 */
export interface ExportDirectory {
  /** Jobs whose claim lapsed before a time. */
  lapsedClaims(before: Date): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
  /**
   * Jobs whose worker is certainly gone: it has not reported on a query that runs inside itself for long, or its control
   * plane has not renewed its lease.
   */
  abandonedJobs(silentSince: Date): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
  /** Ids of jobs that were claimed, or begun by a submitter, before a time and have not ended. */
  openJobs(begunBefore: Date): Promise<readonly number[]>;
  /** Ids of snapshots without a result whose last job ended before a time. */
  undecidedSnapshots(endedBefore: Date): Promise<readonly number[]>;
}

/** The export jobs that could be claimed or polled now. Calls reject when the store is away. */
export interface ExportJobQueue {
  /** Ids of pending jobs, oldest first, `except` for some. The claim itself is decided on each job's stream. */
  claimable(limit: number, except: readonly number[]): Promise<readonly number[]>;
  /** Jobs that workers whose name begins like this have claimed and not ended. */
  heldBy(workerPrefix: string): Promise<readonly { readonly jobId: number; readonly attempt: number }[]>;
}
