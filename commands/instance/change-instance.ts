import { type Either } from 'fp-ts/Either';
import { type Instance, type InstanceCommand, instanceStream } from '../../domain/instance';
import { type DomainError } from '../../domain/kernel/errors';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Handled, handleCommand, withResourceName } from '../kit/handle-command';

/** Any command on one existing instance: reports of its pod, its deletion, its failure. */
export const changeInstance = async (
  ports: CommandPorts,
  instanceId: number,
  command: Exclude<InstanceCommand, { readonly type: 'RequestInstance' }>,
  context: CommandContext,
): Promise<Either<DomainError, Handled<Instance | null>>> =>
  withResourceName(
    'instance',
    instanceId,
    await handleCommand(ports, instances, instanceStream(instanceId), command, context),
  );
