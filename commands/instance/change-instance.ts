import { isLeft } from 'fp-ts/Either';
import { checkLifetime, type RequestedLifetime } from '../../domain/config';
import { type Instance, type InstanceCommand, instanceStream } from '../../domain/instance';
import { loadConfig } from '../config/configure';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';

/** Any command on one existing instance: reports of its pod, its deletion, its failure. */
export const changeInstance = <X extends Exclude<InstanceCommand, { readonly type: 'RequestInstance' }>>(
  ports: CommandPorts,
  instanceId: number,
  command: X,
  context: CommandContext,
) => handleCommand(ports, instances, instanceStream(instanceId), command, context);

/** Changes the lifetime of an instance, within the configured limits; an invalid request is reported before a missing instance. */
export const changeInstanceLifetime = async (
  ports: CommandPorts,
  instanceId: number,
  requested: RequestedLifetime,
  context: CommandContext,
): CommandResult<CommandOutcome<Instance | null>, 'VALIDATION_FAILED' | 'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED'> => {
  const config = await loadConfig(ports);
  if (isLeft(config)) return config;
  const limits = config.right.lifecycle.instance;
  const checked = checkLifetime(requested, limits);
  if (isLeft(checked)) return checked;
  return changeInstance(ports, instanceId, { type: 'ChangeInstanceLifetime', ...requested, limits }, context);
};
