import { type PodObject } from './api-objects';
import { type PodCache } from './pod-cache';

/**
 * Orders the removal of pods whose node does not confirm their end: a node that is gone never does, and its pods would stay
 * forever. The time runs by the own clock since the order was seen: the pod's grace period, then `lostNodeMs`; repeated
 * until the pod is gone. Returns how to stop.
 */
export const forceEndOnLostNodes = (
  cache: PodCache,
  lostNodeMs: number,
  forceEnd: (pod: PodObject) => Promise<unknown>,
): (() => void) => {
  const timers = new Map<string, NodeJS.Timeout>();
  const arm = (pod: PodObject, graceMs: number): void => {
    const again = (): void => {
      arm(pod, 0);
      void forceEnd(pod);
    };
    timers.set(pod.metadata.uid, setTimeout(again, graceMs + lostNodeMs));
  };
  const stopListening = cache.onChange(({ pod }, isGone) => {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    if (isGone) {
      clearTimeout(timers.get(uid));
      timers.delete(uid);
    } else if (deletionTimestamp !== undefined && !timers.has(uid)) {
      arm(pod, deletionGracePeriodSeconds * 1000);
    }
  });
  return () => {
    stopListening();
    for (const timer of timers.values()) clearTimeout(timer);
  };
};
