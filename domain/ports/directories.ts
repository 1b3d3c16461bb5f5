import { type ClaimedJob } from './export-polls';

/** The existing instances, for background jobs. Calls reject when the store is unavailable. */
export interface InstanceDirectory {
  /** Ids of the instances that wait, start, run or stop. Their streams are authoritative. */
  unsettled(): Promise<readonly number[]>;
  /** The latest memory use that pods of running instances have reported. */
  memoryUse(): Promise<readonly MeasuredMemory[]>;
}

export interface MeasuredMemory {
  readonly instanceId: number;
  readonly usedBytes: number;
  /** When the pod reported it. */
  readonly measuredAt: Date;
}

/** Resources that may have expired. Calls reject when the store is unavailable. */
export interface LifeDirectory {
  /** Ids of instances that may have expired, from read models that may lag; their streams are authoritative. */
  endingInstances(now: Date): Promise<readonly number[]>;
  /** Ids of snapshots that may have expired and that no instance appears to use. */
  endingSnapshots(now: Date): Promise<readonly number[]>;
  /** Ids of mappings without snapshots that may have expired. */
  endingMappings(now: Date): Promise<readonly number[]>;
  /** The last query or algorithm a pod has reported, null when there was none. Always up to date. */
  lastActivityOf(instanceId: number): Promise<Date | null>;
}

/**
 * Overdue exports, from read models that may lag; the streams are authoritative. Calls reject when the store is
 * unavailable.
 */
export interface ExportDirectory {
  /** Jobs whose claim expired before a time. */
  expiredClaims(before: Date): Promise<readonly ClaimedJob[]>;
  /**
   * Jobs whose worker has died: it has not reported on a query inside its process since
   * `lastReportBefore`, or the lease of its control plane has expired.
   */
  abandonedJobs(lastReportBefore: Date): Promise<readonly ClaimedJob[]>;
  /** The address of the query of a job as last reported; null: unknown. */
  addressOf(jobId: number): Promise<string | null>;
  /** Ids of open jobs that were claimed, or started by a submitter, before a time. */
  openJobs(begunBefore: Date): Promise<readonly number[]>;
  /** Ids of snapshots without a result whose last job ended before a time. */
  undecidedSnapshots(endedBefore: Date): Promise<readonly number[]>;
}

/** The export jobs that can be claimed or polled now. Calls reject when the store is unavailable. */
export interface ExportJobQueue {
  /**
   * Pending jobs without those in `except`, first those whose next attempt is the last one, then the oldest. The stream of
   * each job decides the claim itself.
   */
  claimable(limit: number, except: readonly number[]): Promise<readonly ClaimedJob[]>;
  /** Open jobs claimed by this worker. */
  heldBy(workerId: string): Promise<readonly ClaimedJob[]>;
}
