import { type PodLock } from '../instance';

/** The pod to call. */
export interface PodAddress {
  readonly instanceId: number;
  readonly urlSlug: string;
  /** The address that the pod reported, or null. */
  readonly reportedUrl: string | null;
}

/** Calls from the control plane to a pod. */
export interface PodClient {
  /**
   * The lock that an algorithm holds on a pod, or null; also null for a pod without an address, and for an unreachable
   * pod of an external runner. `unreachable`: any other pod did not answer within 2 seconds.
   */
  lockOf(pod: PodAddress): Promise<PodLock | 'unreachable' | null>;
  /** Whether a pod runs a query, an export or an algorithm; true if it is `unreachable` for `lockOf`. */
  isWorking(pod: PodAddress): Promise<boolean>;
}
