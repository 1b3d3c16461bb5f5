import { isLeft, right } from 'fp-ts/Either';
import { changeFavorites } from '../../../../commands/favorites/change-favorites';
import { listFavorites } from '../../../../queries/favorites';
import { readAsOf } from '../as-of/as-of';
import { ofFavorites } from '../as-of/resource-streams';
import { replyPage } from '../codecs';
import { type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type favoriteEndpoints } from './endpoints';

export const favoriteHandlers = (deps: ResourceDependencies): PublicHandlers<typeof favoriteEndpoints> => ({
  listFavorites: ({ query: { as_of, ...query }, identity }) =>
    readAsOf(deps, as_of, identity, ofFavorites(identity.username), ({ db, viewer }) =>
      replyPage(query, (page) => listFavorites(db, viewer, query, page)),
    ),

  addFavorite: async ({ body, identity }) => {
    const { resource_type, resource_id } = body;
    const added = await changeFavorites(
      deps.ports,
      { type: 'AddFavorite', resourceType: resource_type, resourceId: resource_id },
      identity.context,
    );
    if (isLeft(added)) return added;
    const { position, occurredAt: created_at } = added.right;
    return right({ position, body: { resource_type, resource_id, created_at } });
  },

  removeFavorite: async ({ params, identity }) => {
    const removed = await changeFavorites(
      deps.ports,
      { type: 'RemoveFavorite', resourceType: params.resource_type, resourceId: params.resource_id },
      identity.context,
    );
    return isLeft(removed) ? removed : right({ position: removed.right.position, body: { deleted: true as const } });
  },
});
