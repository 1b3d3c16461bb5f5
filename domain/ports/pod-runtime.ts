import { type Either } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type PodStatus, type WrapperType } from '../instance';

export type PodRuntimeError =
  /** Temporary: the runtime could not be reached or asks for a later attempt, after `retryAfterMs` if that is given. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** The runtime will never accept this order (an invalid size, an engine not available); in the runtime's own text. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** One pod. The runtime names it `graph-<slug>-<life>`. */
export interface PodOf {
  readonly instanceId: number;
  readonly urlSlug: string;
  /** Which of the instance's pods it is, from 1. */
  readonly life: number;
}

/** The pods of an instance: that of one life, or all when `life` is null. */
export interface PodsOf extends Omit<PodOf, 'life'> {
  readonly life: number | null;
}

/** Everything needed to start the pod of one instance. */
export interface PodSpec extends PodOf {
  readonly wrapperType: WrapperType;
  readonly ownerUsername: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** Size of the snapshot's files, for the limits of the pod's disk; 0 if unknown. */
  readonly snapshotBytes: number;
  /** Address clients reach the pod under. */
  readonly instanceUrl: string;
}

/** What a running pod may use. */
export type PodSize = Pick<PodSpec, 'memoryBytes' | 'cpuCores'>;

/** When a new size is in force; `pending`: the runtime applies it without another order, at the latest at the next start. */
export const TakesEffect = t.keyof({ now: null, pending: null, at_next_start: null });
export type TakesEffect = t.TypeOf<typeof TakesEffect>;

/** Where the control plane reaches a pod that answers. */
export interface PodRoute {
  /** `http://host:port`. */
  readonly url: string;
  readonly instanceId: number;
  readonly life: number;
  /** Aborts when the pod no longer answers. Ask for the route again for each wait: a pod may answer again. */
  readonly silent: AbortSignal;
}

type Ordered<A> = Promise<Either<PodRuntimeError, A>>;

/**
 * Where instance pods run. `createPod`, `deletePod` and `resizePod` only place an order, within 2 seconds; what becomes
 * of it is observed. An order may be repeated. With an aborted signal none is placed, and the answer is `unavailable`.
 */
export interface PodRuntime {
  readonly kind: 'process' | 'kubernetes' | 'none';
  /** False: an outside runner runs the pods. They are neither listed nor routed; each pod reports its address. */
  readonly managesPods: boolean;
  /** Whether pods keep running while no control plane does. */
  readonly outlivesControlPlane: boolean;
  /** Whether several control planes may use it at the same time. */
  readonly isShared: boolean;
  /** Why no pod of a kind can run, null when one can as far as is known: `cannot …; use …`. */
  whyNot(kind: WrapperType): string | null;
  /**
   * Orders a pod. One of the same or a later life counts as success, whatever its phase; the runtime may end earlier ones.
   * A pod that fails later ends with the reason; a temporary failure is shown as `reason` while the pod is `starting`.
   */
  createPod(spec: PodSpec, signal: AbortSignal): Ordered<void>;
  /** Orders the end of pods, of ended ones as well; `absent`: there is none. */
  deletePod(pods: PodsOf, signal: AbortSignal): Ordered<'ordered' | 'absent'>;
  /** Gives a pod another size without ending it. */
  resizePod(pod: PodOf, size: PodSize, signal: AbortSignal): Ordered<TakesEffect>;
  /** Every pod of this system, ended ones included. `unavailable` while that is not known, never an empty list. */
  listPods(): Ordered<readonly PodStatus[]>;
  /** The route to the pod of a slug; null when none answers. */
  routeOf(urlSlug: string): PodRoute | null;
  /**
   * Calls back with each changed pod, as `ended` when it has ended and when it has disappeared (`missing`, or `stopped`
   * if that was ordered); the same end may be reported twice. Returns how to stop listening.
   */
  onPodChanged(listener: (pod: PodStatus) => void): () => void;
}
