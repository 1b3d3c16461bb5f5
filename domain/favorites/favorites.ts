import { left, right } from 'fp-ts/Either';
import { type Decider } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type FavoritesEvent, type FavoriteType } from './events';

export interface FavoriteResource {
  readonly resourceType: FavoriteType;
  readonly resourceId: number;
}

export type FavoritesCommand = FavoriteResource & { readonly type: 'AddFavorite' | 'RemoveFavorite' };

/** What one user has marked, as `type/id`. */
export type Favorites = ReadonlySet<string>;

/** Every user has one stream; the acting user is whose stream it is. */
export const favoritesStream = (username: string): string => `favorites-${username}`;

const keyOf = ({ resourceType, resourceId }: FavoriteResource): string => `${resourceType}/${resourceId}`;

export const favorites: Decider<FavoritesCommand, FavoritesEvent, Favorites, DomainError> = {
  initial: new Set(),

  decide: ({ type, resourceType, resourceId }, marked, { actor: { username } }) => {
    const isMarked = marked.has(keyOf({ resourceType, resourceId }));
    if (isMarked === (type === 'RemoveFavorite')) {
      const data = { username, resourceType, resourceId };
      return right([{ type: isMarked ? 'FavoriteRemoved' : 'FavoriteAdded', data }]);
    }
    const resource = `The ${resourceType} ${resourceId}`;
    const details = { resource_type: resourceType, resource_id: resourceId };
    return left(
      isMarked
        ? domainError('ALREADY_EXISTS', `${resource} is among your favorites already.`, details)
        : domainError('RESOURCE_NOT_FOUND', `${resource} is not among your favorites; list them.`, details),
    );
  },

  evolve: (marked, { type, data }) => {
    const next = new Set(marked);
    if (type === 'FavoriteAdded') next.add(keyOf(data));
    else next.delete(keyOf(data));
    return next;
  },
};
