import { type WrapperType } from './events';

/** Bytes per GiB. */
export const GIB = 1024 ** 3;
const MAX_GIB = 32;
/** The smallest pods on Kubernetes. Elsewhere an instance has at least 3 GiB, by the formula. */
const MIN_GIB_ON_KUBERNETES: Readonly<Record<WrapperType, number>> = { graphdb_a: 4, graphdb_b: 6 };

/**
 * Memory for a pod that loads a snapshot, in bytes: 1.5 times what the engine needs for data of that size, in whole GiB
 * and at most 32 GiB.
 */
export const memorySize = (wrapperType: WrapperType, snapshotBytes: number, isOnKubernetes: boolean): number => {
  const gib = snapshotBytes / GIB;
  const needed = wrapperType === 'graphdb_b' ? Math.max(2, 2.0 * gib + 1) : Math.max(2, 1.2 * gib + 0.5);
  const least = isOnKubernetes ? MIN_GIB_ON_KUBERNETES[wrapperType] : 0;
  return Math.min(MAX_GIB, Math.max(least, Math.ceil(needed * 1.5))) * GIB;
};

/** Twice the memory, at most 32 GiB; null for an instance at the maximum. */
export const doubledMemory = (memoryBytes: number): number | null =>
  memoryBytes >= MAX_GIB * GIB ? null : Math.min(2 * memoryBytes, MAX_GIB * GIB);

/** A pod as the runtime reports it. */
export interface PodStatus {
  readonly podName: string;
  readonly instanceId: number;
  readonly urlSlug: string;
  /** Which of the instance's pods it is. */
  readonly life: number;
  /** `ready`: it answers health checks and may still be loading. `ending`: its deletion was ordered. */
  readonly phase: 'starting' | 'ready' | 'ending' | 'ended';
  /**
   * Why it does not start, in the runtime's own text: an image pull, no node with free capacity, a quota. Null if
   * unknown.
   */
  readonly reason: string | null;
  /** Null until it has ended. */
  readonly end: PodEnd | null;
}

/** How a pod ended, with the runtime's own text: `exit code 1`, `no health for 30 s`. */
export interface PodEnd {
  readonly cause: PodEndCause;
  readonly text: string;
}

export type PodEndCause =
  | 'out_of_memory'
  /** By a signal or order from outside: a drained node, an eviction, `kill`. */
  | 'stopped'
  /** The runtime no longer lists it: a dead node, a pod deleted by hand. */
  | 'missing'
  /** It exited, or did not answer health checks. */
  | 'crashed';

/** An algorithm that runs on a pod and holds its lock. Fields that the pod does not report are null. */
export interface PodLock {
  readonly holderUsername: string | null;
  readonly algorithmName: string | null;
  readonly executionId: string | null;
}
