import { type Either } from 'fp-ts/Either';
import { type PodStatus } from '../instance';

export type PodRuntimeError =
  /** Temporary: the runtime could not be reached or asks to come back later. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** The runtime will never start this pod (bad size, engine not available on this platform). */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Everything needed to start the pod of one instance. Names are derived from the slug: `graph-<slug>`. */
export interface PodSpec {
  readonly instanceId: number;
  readonly urlSlug: string;
  /** Which of the instance's pods it is. */
  readonly life: number;
  readonly wrapperType: 'graphdb_a' | 'graphdb_b';
  readonly ownerUsername: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** Address clients reach the pod under. */
  readonly instanceUrl: string;
}

/** What a running pod may use. */
export type PodSize = Pick<PodSpec, 'memoryBytes' | 'cpuCores'>;

/** Where instance pods run. */
export interface PodRuntime {
  /** Starts a pod. One that already runs for this instance and life is success; an earlier one is ended first. */
  createPod(spec: PodSpec): Promise<Either<PodRuntimeError, void>>;
  /** Ends the pod of a slug, or only that of one life, and resolves when it is gone; an unknown one is success. */
  deletePod(urlSlug: string, life?: number): Promise<Either<PodRuntimeError, void>>;
  /**
   * Gives a running pod another size without ending it; an unknown or ended one is success, it gets its size when it
   * starts. What the runtime cannot change in place holds from the next start.
   */
  resizePod(urlSlug: string, size: PodSize): Promise<Either<PodRuntimeError, void>>;
  /** Every pod of this system, ended ones included. A failure never means "none". */
  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>>;
  /** Calls back when a pod ends by itself. Returns how to stop listening. */
  onPodEnded(listener: (pod: PodStatus) => void): () => void;
}
