/** An algorithm that runs on a pod and holds its lock. Fields the pod does not tell are null. */
export interface PodLock {
  readonly holderUsername: string | null;
  readonly algorithmName: string | null;
  readonly executionId: string | null;
}
