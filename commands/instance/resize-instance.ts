import { isLeft, left } from 'fp-ts/Either';
import { type Instance, instanceStream } from '../../domain/instance';
import { unavailable } from '../../domain/kernel/errors';
import { type PodClient } from '../../domain/ports/pod-client';
import { instances } from '../kit/aggregates';
import { changeInstance } from './change-instance';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, loadStream } from '../kit/handle-command';

export type NewSize = { readonly cpuCores: number } | { readonly memoryBytes: number; readonly reason: string };

/** Gives a running instance more or fewer cores, or more memory, unless an algorithm holds the lock of its pod. */
export const resizeInstance = async (
  ports: CommandPorts & { readonly podClient: PodClient },
  instanceId: number,
  size: NewSize,
  context: CommandContext,
): CommandResult<
  Handled<Instance | null>,
  'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED' | 'INVALID_STATE' | 'RESOURCE_LOCKED'
> => {
  const loaded = await loadStream(ports.store, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state } = loaded.right;
  const lock = state?.status === 'running' ? await ports.podClient.lockOf(state) : null;
  if (lock === 'unreachable') return left(unavailable(`The pod of instance ${instanceId}`, 'no answer within 2 s'));
  const command =
    'cpuCores' in size
      ? ({ type: 'UpdateCpu', ...size, lock } as const)
      : ({ type: 'UpgradeMemory', ...size, lock } as const);
  return changeInstance(ports, instanceId, command, context);
};
