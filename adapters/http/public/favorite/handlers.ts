import { isLeft, right } from 'fp-ts/Either';
import { changeFavorites } from '../../../../commands/favorites/change-favorites';
import { listFavorites } from '../../../../queries/favorites';
import { replyPage } from '../codecs';
import { type favoriteEndpoints } from './endpoints';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const favoriteHandlers = ({ ports, db }: PublicDependencies): PublicHandlers<typeof favoriteEndpoints> => ({
  listFavorites: ({ query, identity }) => replyPage(query, (page) => listFavorites(db, identity, query, page)),

  addFavorite: async ({ body, identity }) => {
    const { resource_type, resource_id } = body;
    const added = await changeFavorites(
      ports,
      { type: 'AddFavorite', resourceType: resource_type, resourceId: resource_id },
      identity.context,
    );
    if (isLeft(added)) return added;
    const { position, occurredAt: created_at } = added.right;
    return right({ position, body: { resource_type, resource_id, created_at } });
  },

  removeFavorite: async ({ params, identity }) => {
    const removed = await changeFavorites(
      ports,
      { type: 'RemoveFavorite', resourceType: params.resource_type, resourceId: params.resource_id },
      identity.context,
    );
    return isLeft(removed) ? removed : right({ position: removed.right.position, body: { deleted: true as const } });
  },
});
