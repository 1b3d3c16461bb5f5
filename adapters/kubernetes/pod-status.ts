import { type PodEnd, type PodStatus } from '../../domain/instance';
import { OUT_OF_MEMORY_EXIT_CODE } from '../contracts/graph-pod/settings';
import { type PodObject } from './api-objects';
import { INSTANCE_LABEL } from './pod-manifest';

/** 128 + SIGTERM. */
const TERMINATED = 143;
const NAME = /^graph-(.+)-(\d+)$/;

/** A pod object as the domain sees it; null if it is not a pod of an instance. `isGone`: it was removed. */
export const podStatusOf = (pod: PodObject, isGone: boolean): PodStatus | null => {
  const { name, labels = {}, deletionTimestamp } = pod.metadata;
  const [, urlSlug, life] = NAME.exec(name) ?? [];
  const instanceId = Number(labels[INSTANCE_LABEL] ?? NaN);
  if (urlSlug === undefined || !Number.isSafeInteger(instanceId)) return null;
  const end = endOf(pod, isGone);
  const phase =
    end !== null ? 'ended' : deletionTimestamp !== undefined ? 'ending' : isReady(pod) ? 'ready' : 'starting';
  const reason = phase === 'starting' ? obstacleOf(pod) : null;
  return { podName: name, instanceId, urlSlug, life: Number(life), phase, reason, end };
};

const conditionOf = ({ status }: PodObject, type: string) => status?.conditions?.find((known) => known.type === type);

/** By its kubelet's word. After an outage of the API server a controller declares pods not `Ready` that answer all the time. */
const isReady = (pod: PodObject): boolean =>
  pod.status?.phase === 'Running' &&
  pod.status.podIP !== undefined &&
  conditionOf(pod, 'ContainersReady')?.status === 'True';

const PASSING = new Set(['ContainerCreating', 'PodInitializing', '']);

/** What keeps a pod from starting, in the scheduler's or kubelet's text. */
const obstacleOf = (pod: PodObject): string | null => {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return textOf(scheduled);
  const waiting = pod.status?.containerStatuses
    ?.map(({ state }) => state?.waiting)
    .find((found) => found !== undefined);
  return waiting === undefined || PASSING.has(waiting.reason ?? '') ? null : textOf(waiting);
};

const endOf = (pod: PodObject, isGone: boolean): PodEnd | null => {
  const { status = {}, metadata } = pod;
  const isOrdered = metadata.deletionTimestamp !== undefined;
  const terminated = status.containerStatuses
    ?.map(({ state }) => state?.terminated)
    .find((found) => found !== undefined);
  if (terminated?.reason === 'OOMKilled' || terminated?.exitCode === OUT_OF_MEMORY_EXIT_CODE) {
    return { cause: 'out_of_memory', text: 'OOMKilled' };
  }
  const disruption = conditionOf(pod, 'DisruptionTarget');
  // A reason of the pod itself is that of the kubelet or a controller: Evicted, Preempting, NodeLost, OutOfcpu, Terminated.
  const outside = status.phase === 'Failed' && status.reason !== undefined ? status : disruption;
  if (terminated !== undefined || status.phase === 'Failed' || status.phase === 'Succeeded') {
    if (outside !== undefined) return { cause: 'stopped', text: textOf(outside) };
    const exitCode = terminated?.exitCode ?? (status.phase === 'Succeeded' ? 0 : null);
    const text = exitCode === null ? `the pod ended as ${status.phase ?? 'unknown'}` : `exit code ${exitCode}`;
    return { cause: isOrdered || exitCode === 0 || exitCode === TERMINATED ? 'stopped' : 'crashed', text };
  }
  if (!isGone) return null;
  if (!isOrdered) return { cause: 'missing', text: 'the pod was removed from the cluster' };
  return { cause: 'stopped', text: disruption === undefined ? 'the pod was deleted' : textOf(disruption) };
};

const textOf = ({ reason, message }: { readonly reason?: string; readonly message?: string }): string =>
  [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
