import * as t from 'io-ts';
import { eventSpec, type EventsOf } from './kernel/event-catalogue';
import { left } from 'fp-ts/Either';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';

/** Kinds of resources people can mark. */
export const FavoriteType = t.keyof({ mapping: null, snapshot: null, instance: null });
export type FavoriteType = t.TypeOf<typeof FavoriteType>;

const ofFavorite = { username: t.string, resourceType: FavoriteType, resourceId: t.number };

export const favoritesEvents = {
  /** The user marked a resource, of whomever it is. */
  FavoriteAdded: eventSpec(t.strict(ofFavorite)),
  /** The user took the mark off. Marks of resources that are gone end without an event. */
  FavoriteRemoved: eventSpec(t.strict(ofFavorite)),
};

export type FavoritesEvent = EventsOf<typeof favoritesEvents>;

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

export const favorites = deciderOf<FavoritesCommand, FavoritesEvent, Favorites>()({
  initial: new Set(),

  decide: {
    AddFavorite: ({ resourceType, resourceId }, marked, { actor: { username } }) => {
      const data = { username, resourceType, resourceId };
      if (!marked.has(keyOf(data))) return accept([{ type: 'FavoriteAdded', data }]);
      const message = `The ${resourceType} ${resourceId} is among your favorites already.`;
      return left(domainError('ALREADY_EXISTS', message, { resource_type: resourceType, resource_id: resourceId }));
    },

    RemoveFavorite: ({ resourceType, resourceId }, marked, { actor: { username } }) => {
      const data = { username, resourceType, resourceId };
      if (marked.has(keyOf(data))) return accept([{ type: 'FavoriteRemoved', data }]);
      const message = `The ${resourceType} ${resourceId} is not among your favorites; list them.`;
      return left(domainError('RESOURCE_NOT_FOUND', message, { resource_type: resourceType, resource_id: resourceId }));
    },
  },

  evolve: (marked, { type, data }) => {
    const next = new Set(marked);
    if (type === 'FavoriteAdded') next.add(keyOf(data));
    else next.delete(keyOf(data));
    return next;
  },
});
