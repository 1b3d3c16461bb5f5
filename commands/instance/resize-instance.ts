import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { type Instance, instanceStream } from '../../domain/instance';
import { unavailable } from '../../domain/kernel/errors';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime, type TakesEffect } from '../../domain/ports/pod-runtime';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { changeInstance } from './change-instance';

export type NewSize = { readonly cpuCores: number } | { readonly memoryBytes: number; readonly reason: string };

type Ports = CommandPorts & {
  readonly podClient: Pick<PodClient, 'lockOf'>;
  readonly podRuntime: Pick<PodRuntime, 'resizePod'>;
};
type Resized = Instance & { readonly takesEffect: TakesEffect };

/**
 * Gives a running instance more or fewer cores, or more memory, unless an algorithm holds the lock of its pod; returns
 * the result of the pod runtime. The instance's process orders the size as well, so that the order is not lost.
 */
export const resizeInstance = async (
  ports: Ports,
  instanceId: number,
  size: NewSize,
  context: CommandContext,
): CommandResult<
  CommandOutcome<Resized | null>,
  'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED' | 'INVALID_STATE' | 'RESOURCE_LOCKED'
> => {
  const loaded = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  const { role, username } = context.actor;
  const mayChange = role !== 'analyst' || username === state?.ownerUsername;
  const lock = mayChange && state?.status === 'running' ? await ports.podClient.lockOf(state) : null;
  if (lock === 'unreachable') return left(unavailable(`The pod of instance ${instanceId}`, 'no answer within 2 s'));
  const command =
    'cpuCores' in size
      ? ({ type: 'UpdateCpu', ...size, lock } as const)
      : ({ type: 'UpgradeMemory', ...size, lock } as const);
  const changed = await changeInstance(ports, instanceId, command, context);
  if (isLeft(changed)) return changed;
  const { state: resized } = changed.right;
  return right({
    ...changed.right,
    state: resized && { ...resized, takesEffect: await orderSize(ports, resized) },
  });
};

const orderSize = async (ports: Ports, instance: Instance): Promise<TakesEffect> => {
  const ordered = await ports.podRuntime.resizePod(instance, instance, new AbortController().signal);
  const latest = await loadStream(ports, instances, instanceStream(instance.instanceId));
  const state = isRight(latest) ? latest.right.state : null;
  // This order does not undo a concurrent change.
  if (state !== null && (state.memoryBytes !== instance.memoryBytes || state.cpuCores !== instance.cpuCores)) {
    return orderSize(ports, state);
  }
  return isRight(ordered) ? ordered.right : ordered.left.kind === 'unavailable' ? 'pending' : 'at_next_start';
};
