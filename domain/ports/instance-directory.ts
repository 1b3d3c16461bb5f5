/** Which instances there are, for jobs that look after them. Calls reject when the store is away. */
export interface InstanceDirectory {
  /** Ids of the instances that wait, start, run or stop. What is true of each, its stream tells. */
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
