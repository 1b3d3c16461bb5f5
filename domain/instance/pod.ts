/** A pod as the runtime sees it. */
export interface PodStatus {
  readonly podName: string;
  readonly instanceId: number;
  readonly urlSlug: string;
  readonly phase: 'pending' | 'running' | 'ended';
  /** Why it ended or does not start: `OOMKilled`, `exit code 1`, `Unschedulable` …; null while all is well. */
  readonly reason: string | null;
  readonly startedAt: string | null;
}

/** An algorithm that runs on a pod and holds its lock. Fields the pod does not report are null. */
export interface PodLock {
  readonly holderUsername: string | null;
  readonly algorithmName: string | null;
  readonly executionId: string | null;
}
