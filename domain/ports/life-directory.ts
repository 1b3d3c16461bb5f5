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
