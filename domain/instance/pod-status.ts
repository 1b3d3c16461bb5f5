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
