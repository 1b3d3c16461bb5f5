import { type TakesEffect } from '../../domain/ports/pod-runtime';
import { type PodObject } from './api-objects';
import { type KnownPod, type PodCache } from './pod-cache';
import { CONTAINER } from './pod-manifest';
import { graphContainerOf } from './pod-status';

/** Time limit for the kubelet to decide on a resize. */
const DECIDED_WITHIN_MS = 1_500;

/** The outcome of an accepted resize; `pending` also when the kubelet has not decided in time. */
export const untilResized = (cache: PodCache, ordered: PodObject, signal: AbortSignal): Promise<TakesEffect> =>
  new Promise((resolve) => {
    const decide = (verdict: TakesEffect): void => {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', timeOut);
      resolve(verdict);
    };
    const timeOut = (): void => decide('pending');
    const timer = setTimeout(timeOut, DECIDED_WITHIN_MS);
    signal.addEventListener('abort', timeOut);
    const { uid, resourceVersion } = ordered.metadata;
    const check = ({ pod, status }: KnownPod): void => {
      // Earlier states contain the previous resources.
      if (pod.metadata.uid !== uid || BigInt(pod.metadata.resourceVersion) < BigInt(resourceVersion)) return;
      const pendingReason = pendingReasonOf(pod);
      if (status.phase === 'ended' || pendingReason === 'Infeasible') decide('at_next_start');
      else if (pendingReason !== undefined) decide('pending');
      else if (isDone(pod)) decide('now');
    };
    const stopListening = cache.onChange(check);
    cache.watch.put(ordered);
    cache.all().forEach(check);
  });

/** `Infeasible`: the node can never provide the resources, `Deferred`: currently not. */
const pendingReasonOf = ({ status }: PodObject): string | undefined =>
  status?.conditions?.find(({ type, status: value }) => type === 'PodResizePending' && value === 'True')?.reason;

/** The status of the graph's container has the ordered resources: the API server normalizes amounts. */
const isDone = (pod: PodObject): boolean => {
  const ordered = pod.spec.containers.find(({ name }) => name === CONTAINER)?.resources;
  const actual = graphContainerOf(pod)?.resources;
  return (
    actual?.limits?.['memory'] === ordered?.limits?.['memory'] && actual?.limits?.['cpu'] === ordered?.limits?.['cpu']
  );
};
