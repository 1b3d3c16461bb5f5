import { type PodCache } from './pod-cache';
import { type PodObject } from './api-objects';

/** Time limit for the kubelet to decide on a resize. */
const DECIDED_WITHIN_MS = 1_500;

/** What becomes of a resize of a pod; watch before it is ordered. */
export interface ResizeVerdict {
  /** `applied` also when the kubelet has not decided in time: it works on it. */
  readonly outcome: Promise<'applied' | 'at_next_start'>;
  cancel(): void;
}

export const untilResized = (cache: PodCache, name: string, signal: AbortSignal): ResizeVerdict => {
  let cancel: () => void = () => undefined;
  const outcome = new Promise<'applied' | 'at_next_start'>((resolve) => {
    const decide = (verdict: 'applied' | 'at_next_start'): void => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(verdict);
    };
    const stop = cache.onChange(({ pod, status }) => {
      if (pod.metadata.name !== name) return;
      if (status.phase === 'ended' || isPending(pod)) decide('at_next_start');
      else if (isDone(pod)) decide('applied');
    });
    cancel = () => decide('applied');
    const timer = setTimeout(cancel, DECIDED_WITHIN_MS);
    signal.addEventListener('abort', cancel);
  });
  return { outcome, cancel };
};

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
