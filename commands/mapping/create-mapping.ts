import { isLeft, right } from 'fp-ts/Either';
import { type CreateMapping, mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, handleCommand } from '../kit/handle-command';

export type CreatedMapping = Handled<unknown> & { readonly mappingId: number };

/** Creates a mapping owned by the actor, and answers with its id. */
export const createMapping = async (
  ports: CommandPorts,
  body: Omit<CreateMapping, 'type' | 'mappingId'>,
  context: CommandContext,
): CommandResult<CreatedMapping, 'VALIDATION_FAILED'> => {
  const { id: mappingId } = await ports.ids.nextFor(context.commandId, 'mapping');
  const command: CreateMapping = { type: 'CreateMapping', mappingId, ...body };
  const handled = await handleCommand(ports, mappings, mappingStream(mappingId), command, context);
  return isLeft(handled) ? handled : right({ ...handled.right, mappingId });
};
