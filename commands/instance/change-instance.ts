import { type InstanceCommand, instanceStream } from '../../domain/instance';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { handleCommand, withResourceName } from '../kit/handle-command';

/** Any command on one existing instance: reports of its pod, its deletion, its failure. */
export const changeInstance = async <X extends Exclude<InstanceCommand, { readonly type: 'RequestInstance' }>>(
  ports: CommandPorts,
  instanceId: number,
  command: X,
  context: CommandContext,
) =>
  withResourceName(
    'instance',
    instanceId,
    await handleCommand(ports, instances, instanceStream(instanceId), command, context),
  );
