/** A step of a pod's start. */
export interface ProgressStep {
  readonly name: string;
  readonly status: 'completed' | 'in_progress' | 'pending';
  readonly type?: 'node' | 'edge' | undefined;
  readonly row_count?: number | undefined;
  /** When the step was first reported completed; set by the control plane. */
  readonly completed_at?: string | undefined;
}

export interface InstanceProgress {
  readonly phase: string;
  readonly steps: readonly ProgressStep[];
  /** Which of the instance's pods reported it; null if unknown. */
  readonly life: number | null;
}

/** The latest measures of a pod. Fields that a report omits keep their last value. */
export interface InstanceMetrics {
  readonly memory_usage_bytes?: number | undefined;
  /** When the memory was last reported; set by the control plane. */
  readonly measured_at?: string | undefined;
  /** Average between the last two reports. */
  readonly cpu_usage_cores?: number | undefined;
  readonly disk_usage_bytes?: number | undefined;
  readonly last_activity_at?: string | undefined;
  readonly query_count_since_last?: number | undefined;
  readonly avg_query_time_ms?: number | undefined;
}

/** The progress of an export, as a worker reports it. Fields that a report omits keep their last value. */
export interface SnapshotProgress {
  readonly phase?: string | null | undefined;
  readonly current_step?: string | null | undefined;
  readonly completed_steps?: number | undefined;
  readonly total_steps?: number | undefined;
}

/**
 * Reports outside the event log: only the latest is kept, and rebuilds do not change them. Calls reject when the store
 * is unavailable.
 */
export interface TelemetryStore {
  saveProgress(instanceId: number, progress: InstanceProgress): Promise<void>;
  saveSnapshotProgress(snapshotId: number, progress: SnapshotProgress): Promise<void>;
  saveMetrics(instanceId: number, metrics: InstanceMetrics): Promise<void>;
}
