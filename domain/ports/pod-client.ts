import { type PodLock } from '../instance';

/** Whose pod is asked, and where. */
export interface AskedPod {
  readonly instanceId: number;
  readonly urlSlug: string;
  /** The address that the pod reported, or null. */
  readonly reportedUrl: string | null;
}

/** What the control plane asks a pod itself. */
export interface PodClient {
  /**
   * The lock an algorithm holds on a pod, null when there is none; a pod without an address has none, nor has one of an
   * outside runner that does not answer. `unreachable`: another pod did not answer within 2 seconds.
   */
  lockOf(pod: AskedPod): Promise<PodLock | 'unreachable' | null>;
}
