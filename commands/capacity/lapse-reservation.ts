import { type Either, isLeft, right } from 'fp-ts/Either';
import { instanceStream } from '../../domain/instance';
import { type DomainError } from '../../domain/kernel/errors';
import { instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { handleCommand } from '../kit/handle-command';
import { type ChangeCapacity } from './reserve-slot';

/**
 * Frees the place of an instance that was never requested. The instance's own stream is closed first: a request that
 * was only slow would otherwise come into being without a place. One that was requested in time keeps it.
 */
export const lapseReservation = async (
  ports: CommandPorts & { readonly changeCapacity: ChangeCapacity },
  instanceId: number,
  context: CommandContext,
): Promise<Either<DomainError, unknown>> => {
  const command = { type: 'AbandonInstance', instanceId } as const;
  const abandoned = await handleCommand(ports, instances, instanceStream(instanceId), command, context);
  if (isLeft(abandoned)) return abandoned.left.code === 'ALREADY_EXISTS' ? right(undefined) : abandoned;
  const commandId = ports.ids.derivedUuid(context.commandId, 'slot');
  return ports.changeCapacity({ type: 'ReleaseSlot', instanceId }, { ...context, commandId });
};
