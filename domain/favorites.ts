import { left } from 'fp-ts/Either';
import { Set as ImmutableSet } from 'immutable';
import * as t from 'io-ts';
import { oneOf } from './kernel/codecs';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

/** Kinds of resources that users can mark as favorites. */
export const FavoriteType = oneOf('mapping', 'snapshot', 'instance');
export type FavoriteType = t.TypeOf<typeof FavoriteType>;

const ofFavorite = { username: t.string, resourceType: FavoriteType, resourceId: t.number };

export const favoritesEvents = {
  /** The user marked a resource, regardless of its owner. */
  FavoriteAdded: eventSpec(t.strict(ofFavorite)),
  /** The user removed the mark. Marks of deleted resources end without an event. */
  FavoriteRemoved: eventSpec(t.strict(ofFavorite)),
};

export type FavoritesEvent = EventsOf<typeof favoritesEvents>;

export interface FavoriteResource {
  readonly resourceType: FavoriteType;
  readonly resourceId: number;
}

export type FavoritesCommand = FavoriteResource & { readonly type: 'AddFavorite' | 'RemoveFavorite' };

/** The favorites of one user, as `type/id`. */
export type Favorites = ImmutableSet<string>;

/** One stream per user; the actor of a command is the user of the stream. */
export const favoritesStream = (username: string): string => `favorites-${username}`;

const keyOf = ({ resourceType, resourceId }: FavoriteResource): string => `${resourceType}/${resourceId}`;

export const favorites = deciderOf<FavoritesCommand, FavoritesEvent, Favorites>()({
  initial: ImmutableSet(),

  decide: {
    AddFavorite: ({ resourceType, resourceId }, marked, { actor: { username } }) => {
      const data = { username, resourceType, resourceId };
      if (!marked.has(keyOf(data))) return accept([{ type: 'FavoriteAdded', data }]);
      const message = `The ${resourceType} ${resourceId} is already a favorite of yours.`;
      return left(domainError('ALREADY_EXISTS', message, { resource_type: resourceType, resource_id: resourceId }));
    },

    RemoveFavorite: ({ resourceType, resourceId }, marked, { actor: { username } }) => {
      const data = { username, resourceType, resourceId };
      if (marked.has(keyOf(data))) return accept([{ type: 'FavoriteRemoved', data }]);
      const message = `The ${resourceType} ${resourceId} is not a favorite of yours; list your favorites.`;
      return left(domainError('RESOURCE_NOT_FOUND', message, { resource_type: resourceType, resource_id: resourceId }));
    },
  },

  evolve: (marked, { type, data }) => (type === 'FavoriteAdded' ? marked.add(keyOf(data)) : marked.delete(keyOf(data))),
});
