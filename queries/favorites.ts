import { type FavoriteType } from '../domain/favorites';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';
import { type Viewer, visibleInstances } from './visible-instances';
import { FavoriteView } from './views/favorite';

export interface FavoriteFilters {
  readonly resourceType?: FavoriteType | undefined;
}

/** The favorites of a user whose resources exist for them, newest first. */
export const listFavorites = (
  db: ReadDatabase,
  viewer: Viewer,
  { resourceType }: FavoriteFilters,
  page: PageBounds,
): Promise<Page<FavoriteView>> => {
  const query = db('read.favorites')
    .join(resources(db, viewer), { resource_type: 'resources.type', resource_id: 'resources.id' })
    .where({ username: viewer.username });
  if (resourceType !== undefined) query.where('resource_type', resourceType);
  const newest = query
    .orderBy('created_at', 'desc')
    .orderBy('resource_type')
    .orderBy('resource_id', 'desc')
    .select(db.raw('true AS resource_exists'));
  const others = { resource_name: 'name', resource_owner: 'owner_username', resource_exists: null };
  return readPage(newest, page, FavoriteView, others);
};

const resources = (db: ReadDatabase, viewer: Viewer) => {
  const of = (type: FavoriteType) =>
    (type === 'instance' ? visibleInstances(db, viewer) : db(`read.${type}s`)).select(
      db.raw('?::text AS type', [type]),
      'id',
      'name',
      'owner_username',
    );
  return of('mapping')
    .unionAll([of('snapshot'), of('instance')])
    .as('resources');
};
