import { type Either } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type PodStatus, type WrapperType } from '../instance';
import { oneOf } from '../kernel/codecs';

export type PodRuntimeError =
  /** Temporary: the runtime could not be reached or requests a retry, after `retryAfterMs` if that is given. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** Permanent: the runtime rejects this order (an invalid size, an unavailable engine); in the runtime's own text. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** One pod. The runtime names it `graph-<slug>-<life>`. */
export interface PodOf {
  readonly instanceId: number;
  readonly urlSlug: string;
  /** Counts the pods of the instance, from 1. */
  readonly life: number;
}

/** The pods of an instance: that of one life, or all when `life` is null. */
export interface PodsOf extends Omit<PodOf, 'life'> {
  readonly life: number | null;
}

/** The specification of the pod of one instance. */
export interface PodSpec extends PodOf {
  readonly wrapperType: WrapperType;
  readonly ownerUsername: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** Size of the snapshot's files, for the limits of the pod's disk; 0 if unknown. */
  readonly snapshotBytes: number;
  /** Address of the pod for clients. */
  readonly instanceUrl: string;
}

/** The resource limits of a pod. */
export type PodSize = Pick<PodSpec, 'memoryBytes' | 'cpuCores'>;

/**
 * When a new size takes effect; `pending`: the runtime applies it without another order, at the latest at the next
 * start.
 */
export const TakesEffect = oneOf('now', 'pending', 'at_next_start');
export type TakesEffect = t.TypeOf<typeof TakesEffect>;

/** The address of a ready pod for the control plane. */
export interface PodRoute {
  /** `http://host:port`. */
  readonly url: string;
  readonly instanceId: number;
  readonly life: number;
  /** Aborts when the pod becomes unresponsive. Request the route again for each wait: the pod may recover. */
  readonly unresponsive: AbortSignal;
}

type Ordered<A> = Promise<Either<PodRuntimeError, A>>;

/**
 * Where instance pods run. `createPod`, `deletePod` and `resizePod` only place an order, within 2 seconds; the outcome
 * is observed. An order may be repeated. With an aborted signal no order is placed, and the result is `unavailable`.
 */
export interface PodRuntime {
  readonly kind: 'process' | 'kubernetes' | 'none';
  /** False: an external runner runs the pods, which are not listed or routed; each pod reports its address. */
  readonly managesPods: boolean;
  /** Whether pods outlive the control plane. */
  readonly outlivesControlPlane: boolean;
  /** Whether several control planes may use it at the same time. */
  readonly isShared: boolean;
  /** Why pods of a kind cannot run, as `cannot …; use …`; null if no reason is known. */
  unsupportedReason(kind: WrapperType): string | null;
  /**
   * Orders a pod. An existing pod of the same or a later life counts as success in any phase; the runtime may end
   * earlier ones. A pod that fails later ends with the reason; a temporary failure is shown as `reason` while the pod
   * is `starting`.
   */
  createPod(spec: PodSpec, signal: AbortSignal): Ordered<void>;
  /** Orders the deletion of pods, including ended ones; `absent`: there are none. */
  deletePod(pods: PodsOf, signal: AbortSignal): Ordered<'ordered' | 'absent'>;
  /** Resizes a pod without restarting it. */
  resizePod(pod: PodOf, size: PodSize, signal: AbortSignal): Ordered<TakesEffect>;
  /** Every pod of this system, ended ones included. `unavailable`, never an empty list, while the pods are unknown. */
  listPods(): Ordered<readonly PodStatus[]>;
  /** The route to the pod of a slug; null without a ready pod. */
  routeOf(urlSlug: string): PodRoute | null;
  /**
   * Calls back with each changed pod, as `ended` when it has ended or disappeared (`missing`, or `stopped` if that was
   * ordered); the same end may be reported twice. Returns a function that unsubscribes.
   */
  onPodChanged(listener: (pod: PodStatus) => void): () => void;
}
