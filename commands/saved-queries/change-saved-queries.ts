import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError, notFound } from '../../domain/kernel/errors';
import { mappingStream } from '../../domain/mapping';
import { type SavedQueries, savedQueriesStream, type SavedQueryCommand } from '../../domain/saved-queries';
import { mappings, savedQueriesOfUsers } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandFailure, type Handled, handleCommand, loadStream, type RefusalOf } from '../kit/handle-command';

/** Saves or deletes a query of the actor, for a mapping that exists. */
export const changeSavedQueries = async <X extends SavedQueryCommand>(
  ports: CommandPorts,
  command: X,
  context: CommandContext,
): Promise<
  Either<
    CommandFailure | DomainError<'RESOURCE_NOT_FOUND'> | RefusalOf<typeof savedQueriesOfUsers, X>,
    Handled<SavedQueries>
  >
> => {
  const mapping = await loadStream(ports.store, mappings, mappingStream(command.mappingId));
  if (isLeft(mapping)) return mapping;
  if (mapping.right.state === null) return left(notFound('mapping', command.mappingId));
  return handleCommand(ports, savedQueriesOfUsers, savedQueriesStream(context.actor.username), command, context);
};
