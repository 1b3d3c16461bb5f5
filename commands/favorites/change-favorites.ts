import { isLeft, left, right } from 'fp-ts/Either';
import { type FavoriteResource, type FavoritesCommand, favoritesStream } from '../../domain/favorites';
import { canAccess, instanceStream } from '../../domain/instance';
import { type Actor } from '../../domain/kernel/decider';
import { mapRight } from '../../domain/kernel/either';
import { domainError, notFound } from '../../domain/kernel/errors';
import { mappingStream } from '../../domain/mapping';
import { snapshotStream } from '../../domain/snapshot';
import { favoritesOfUsers, instances, mappings, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, handleCommand, type Handled } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

/** Adds to or removes from the favorites of the actor. A deleted resource cannot be added. */
export const changeFavorites = async <X extends FavoritesCommand>(
  ports: CommandPorts,
  command: X,
  context: CommandContext,
): Handled<typeof favoritesOfUsers, X, 'RESOURCE_NOT_FOUND'> => {
  const { resourceType, resourceId } = command;
  const exists = await resourceExists(ports, command, context.actor);
  if (isLeft(exists)) return exists;
  if (!exists.right) {
    const { message } = notFound(resourceType, resourceId);
    const details = { resource_type: resourceType, resource_id: resourceId };
    return left(domainError('RESOURCE_NOT_FOUND', message, details));
  }
  return handleCommand(ports, favoritesOfUsers, favoritesStream(context.actor.username), command, context);
};

/** Whether the resource exists and the actor may see it. */
const resourceExists = async (
  ports: CommandPorts,
  { resourceType, resourceId }: FavoriteResource,
  actor: Actor,
): CommandResult<boolean> => {
  switch (resourceType) {
    case 'mapping':
      return mapRight(await loadStream(ports, mappings, mappingStream(resourceId)), exists);
    case 'snapshot':
      return mapRight(await loadStream(ports, snapshots, snapshotStream(resourceId)), exists);
    case 'instance': {
      const loaded = await loadStream(ports, instances, instanceStream(resourceId));
      if (isLeft(loaded)) return loaded;
      const { state } = loaded.right;
      return right(state !== null && state.status !== 'deleted' && canAccess(state, actor));
    }
  }
};

const exists = ({ state }: { readonly state: unknown }): boolean => state !== null;
