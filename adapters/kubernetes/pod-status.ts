import { type PodEnd, type PodStatus } from '../../domain/instance';
import { OUT_OF_MEMORY_EXIT_CODE } from '../contracts/graph-pod/settings';
import { type PodObject } from './api-objects';
import { CONTAINER, INSTANCE_LABEL } from './pod-manifest';

/** 128 + SIGTERM. */
const TERMINATED = 143;
const NAME = /^graph-(.+)-(\d+)$/;

/**
 * Converts a Pod object to the status of the domain; null if it is not a pod of an instance. `isDeleted`: it was deleted.
 */
export const podStatusOf = (pod: PodObject, isDeleted: boolean): PodStatus | null => {
  const { name, labels = {}, deletionTimestamp } = pod.metadata;
  const [, urlSlug, life] = NAME.exec(name) ?? [];
  const instanceId = Number(labels[INSTANCE_LABEL] ?? NaN);
  if (urlSlug === undefined || !Number.isSafeInteger(instanceId)) return null;
  const end = endOf(pod, isDeleted);
  const phase =
    end !== null ? 'ended' : deletionTimestamp !== undefined ? 'ending' : isReady(pod) ? 'ready' : 'starting';
  const reason = phase === 'starting' ? obstacleOf(pod) : null;
  return { podName: name, instanceId, urlSlug, life: Number(life), phase, reason, end };
};

const conditionOf = ({ status }: PodObject, type: string) => status?.conditions?.find((known) => known.type === type);

/**
 * The status of the container with the graph, which alone decides about the pod. A policy of the cluster may add others,
 * whose troubles are not the graph's: the phase of the pod and its conditions `Ready` and `ContainersReady` mix them.
 */
export const graphContainerOf = ({ status }: PodObject) =>
  status?.containerStatuses?.find(({ name }) => name === CONTAINER);

/** As reported by the kubelet. */
const isReady = (pod: PodObject): boolean => pod.status?.podIP !== undefined && graphContainerOf(pod)?.ready === true;

const PASSING = new Set(['ContainerCreating', 'PodInitializing', '']);
const isPassing = ({ reason = '' }: { readonly reason?: string }): boolean => PASSING.has(reason);

/** Why a pod does not start, in the text of the scheduler or kubelet. */
const obstacleOf = (pod: PodObject): string | null => {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return textOf(scheduled);
  const { state } = graphContainerOf(pod) ?? {};
  if (state?.waiting !== undefined && !isPassing(state.waiting)) return textOf(state.waiting);
  const hasStarted = state !== undefined && state.waiting === undefined;
  return hasStarted ? null : obstacleBefore(pod);
};

/** Why a container that must come before the graph has failed or does not start; native sidecars are among them. */
const obstacleBefore = ({ status }: PodObject): string | null => {
  for (const { name, state: { waiting, terminated } = {} } of status?.initContainerStatuses ?? []) {
    if (waiting !== undefined && !isPassing(waiting)) return `container ${name}: ${textOf(waiting)}`;
    if (terminated !== undefined && terminated.exitCode !== 0)
      return `container ${name}: ${textOf(terminated)}, exit code ${terminated.exitCode}`;
  }
  return null;
};

const endOf = (pod: PodObject, isDeleted: boolean): PodEnd | null => {
  const { status = {}, metadata } = pod;
  const isOrdered = metadata.deletionTimestamp !== undefined;
  const terminated = graphContainerOf(pod)?.state?.terminated;
  if (terminated?.reason === 'OOMKilled' || terminated?.exitCode === OUT_OF_MEMORY_EXIT_CODE) {
    return { cause: 'out_of_memory', text: 'OOMKilled' };
  }
  const disruption = conditionOf(pod, 'DisruptionTarget');
  // A reason of the pod itself is that of the kubelet or a controller: Evicted, Preempting, NodeLost, OutOfcpu,
  // Terminated.
  const outside = status.phase === 'Failed' && status.reason !== undefined ? status : disruption;
  if (terminated !== undefined || status.phase === 'Failed' || status.phase === 'Succeeded') {
    if (outside !== undefined) return { cause: 'stopped', text: textOf(outside) };
    const exitCode = terminated?.exitCode ?? (status.phase === 'Succeeded' ? 0 : null);
    const text =
      exitCode === null
        ? (obstacleBefore(pod) ?? `the pod ended as ${status.phase ?? 'unknown'}`)
        : `exit code ${exitCode}`;
    return { cause: isOrdered || exitCode === 0 || exitCode === TERMINATED ? 'stopped' : 'crashed', text };
  }
  if (!isDeleted) return null;
  if (!isOrdered) return { cause: 'missing', text: 'the pod was removed from the cluster' };
  return { cause: 'stopped', text: disruption === undefined ? 'the pod was deleted' : textOf(disruption) };
};

const textOf = ({ reason, message }: { readonly reason?: string; readonly message?: string }): string =>
  [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
