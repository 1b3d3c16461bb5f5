import { type PodObject } from './api-objects';
import { type KnownPod, type PodCache } from './pod-cache';

/** Time limit for the kubelet to decide on a resize. */
const DECIDED_WITHIN_MS = 1_500;

type Verdict = 'applied' | 'at_next_start';

/** What becomes of an accepted resize; `applied` also when the kubelet has not decided in time: it works on it. */
export const untilResized = (cache: PodCache, ordered: PodObject, signal: AbortSignal): Promise<Verdict> =>
  new Promise((resolve) => {
    const decide = (verdict: Verdict): void => {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(verdict);
    };
    const giveUp = (): void => decide('applied');
    const timer = setTimeout(giveUp, DECIDED_WITHIN_MS);
    signal.addEventListener('abort', giveUp);
    const { uid, resourceVersion } = ordered.metadata;
    const examine = ({ pod, status }: KnownPod): void => {
      // Earlier states have what was in force before.
      if (pod.metadata.uid !== uid || BigInt(pod.metadata.resourceVersion) < BigInt(resourceVersion)) return;
      if (status.phase === 'ended' || isPending(pod)) decide('at_next_start');
      else if (isDone(pod)) decide('applied');
    };
    const stopListening = cache.onChange(examine);
    cache.put(ordered);
    cache.all().forEach(examine);
  });

/** The node lacks the room, at the moment or ever. */
const isPending = ({ status }: PodObject): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'PodResizePending' && value === 'True') === true;

/** The status has what was ordered: amounts have one form on the API server. */
const isDone = ({ spec, status }: PodObject): boolean =>
  spec.containers.every(({ name, resources }) => {
    const actual = status?.containerStatuses?.find((known) => known.name === name)?.resources;
    return (
      actual?.limits?.['memory'] === resources?.limits?.['memory'] &&
      actual?.limits?.['cpu'] === resources?.limits?.['cpu']
    );
  });
