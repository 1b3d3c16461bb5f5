import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

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
