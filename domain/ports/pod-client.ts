import { type PodLock } from '../instance';

/** What the control plane asks a pod itself. */
export interface PodClient {
  /**
   * The lock an algorithm holds on a pod, null when there is none. A pod that cannot be reached, or does not answer
   * within 2 seconds, counts as not locked.
   */
  lockOf(pod: { readonly urlSlug: string; readonly instanceUrl: string | null }): Promise<PodLock | null>;
}
