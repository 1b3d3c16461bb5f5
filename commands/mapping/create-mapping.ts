import { isLeft, left, right } from 'fp-ts/Either';
import { type LifecycleLimits } from '../../domain/config';
import { notFound } from '../../domain/kernel/errors';
import { type CreateMapping, mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

/**
 * Creates a mapping of the actor's own from the current version of another, with description and the default life span.
 */
export const copyMapping = async (
  ports: CommandPorts,
  mappingId: number,
  copy: { readonly name: string; readonly ownerName: string; readonly limits: LifecycleLimits },
  context: CommandContext,
): CommandResult<CreatedMapping, 'VALIDATION_FAILED' | 'RESOURCE_NOT_FOUND'> => {
  const loaded = await loadStream(ports, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const source = loaded.right.state;
  const current = source?.versions.at(-1);
  if (source === null || current === undefined) return left(notFound('mapping', mappingId));
  const { nodeDefinitions, edgeDefinitions } = current;
  const { description } = source;
  const body = { ...copy, description, ttl: null, inactivityTimeout: null, nodeDefinitions, edgeDefinitions };
  return createMapping(ports, body, context);
};

export type CreatedMapping = CommandOutcome<unknown> & { readonly mappingId: number };

/** Creates a mapping owned by the actor and returns its id. */
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
