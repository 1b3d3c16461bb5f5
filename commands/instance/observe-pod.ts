import { isLeft, isRight, right } from 'fp-ts/Either';
import { instanceStream, isBeingDeleted, type PodStatus } from '../../domain/instance';
import { unavailable } from '../../domain/kernel/errors';
import { processStream } from '../../domain/kernel/process';
import { type ReconciledInstance } from '../../domain/policies';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../domain/ports/process-work';
import { instanceStartup } from '../../domain/processes';
import { type ChangeCapacity, releaseSlot } from '../capacity/reserve-slot';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Done } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { changeInstance } from './change-instance';

export interface ObservePodPorts extends CommandPorts {
  readonly changeCapacity: ChangeCapacity;
  readonly podRuntime: PodRuntime;
}

/**
 * Reports the end of a pod to its instance. If the instance is being deleted, the deletion completes with the end of
 * its last pod. The pod of an unknown instance is ignored.
 */
export const observePodEnd = async (
  ports: ObservePodPorts,
  { instanceId, urlSlug, life, end }: PodStatus,
  context: CommandContext,
  signal: AbortSignal,
): Done => {
  const loaded = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  if (state === null || end === null) return right(undefined);
  if (!isBeingDeleted(state)) return changeInstance(ports, instanceId, { type: 'ReportPodLost', life, end }, context);
  const rest = await ports.podRuntime.deletePod({ instanceId, urlSlug, life: null }, signal);
  if (isLeft(rest)) return { ...rest, left: unavailable(`The pod of instance ${instanceId}`, rest.left.reason) };
  return rest.right === 'absent' ? completeDeletion(ports, instanceId, context) : rest;
};

/** Records that the last pod of an instance has ended, and releases the slot of a deleted instance. */
export const completeDeletion = async (
  ports: CommandPorts & Pick<ObservePodPorts, 'changeCapacity'>,
  instanceId: number,
  context: CommandContext,
): Done => {
  const released = await releaseSlot(ports, instanceId, context);
  return isLeft(released) ? released : changeInstance(ports, instanceId, { type: 'CompleteDeletion' }, context);
};

export interface StartupReasonPorts {
  readonly podRuntime: Pick<PodRuntime, 'listPods'>;
  readonly work: Pick<ProcessWork, 'failureOf'>;
}

/**
 * Why the pod of an instance has not started, in the runtime's text: the reason of the pod, or why the runtime has not
 * accepted the order for it. Null if it has started, or if that is unknown.
 */
export const startupReason = async (
  { podRuntime, work }: StartupReasonPorts,
  instanceId: number,
): Promise<string | null> => {
  const pods = await podRuntime.listPods();
  const starting = isRight(pods) ? pods.right.filter((pod) => pod.instanceId === instanceId) : [];
  const pod = starting.findLast(({ phase, reason }) => phase === 'starting' && reason !== null);
  return pod?.reason ?? podOrderFailure(work, instanceId);
};

/** Why the runtime has not accepted the orders for pods of starting instances, by id of the instance. */
export const refusedPodOrders = async (
  work: StartupReasonPorts['work'],
  instances: Iterable<Pick<ReconciledInstance, 'instanceId' | 'status'>>,
): Promise<ReadonlyMap<number, string>> => {
  const refused = new Map<number, string>();
  for (const { instanceId, status } of instances) {
    const failure = status === 'starting' ? await podOrderFailure(work, instanceId) : null;
    if (failure !== null) refused.set(instanceId, failure);
  }
  return refused;
};

const podOrderFailure = (work: StartupReasonPorts['work'], instanceId: number): Promise<string | null> =>
  work.failureOf(processStream(instanceStartup.name, String(instanceId)), 'CreatePod');
