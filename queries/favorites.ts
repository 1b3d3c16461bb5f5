import { type FavoriteType } from '../domain/favorites';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';
import { FavoriteView } from './views/favorite';

export interface FavoriteFilters {
  readonly username: string;
  readonly resourceType?: FavoriteType | undefined;
}

/** The favorites of one user whose resources exist, newest first. */
export const listFavorites = (
  db: ReadDatabase,
  { username, resourceType }: FavoriteFilters,
  page: PageBounds,
): Promise<Page<FavoriteView>> => {
  const query = db('read.favorites')
    .join(resources(db), { resource_type: 'resources.type', resource_id: 'resources.id' })
    .where({ username });
  if (resourceType !== undefined) query.where('resource_type', resourceType);
  const newest = query
    .orderBy('created_at', 'desc')
    .orderBy('resource_type')
    .orderBy('resource_id', 'desc')
    .select(db.raw('true AS resource_exists'));
  const others = { resource_name: 'name', resource_owner: 'owner_username', resource_exists: null };
  return readPage(newest, page, FavoriteView, others);
};

const resources = (db: ReadDatabase) => {
  const of = (type: FavoriteType) =>
    db(`read.${type}s`).select(db.raw('?::text AS type', [type]), 'id', 'name', 'owner_username');
  return of('mapping')
    .unionAll([of('snapshot'), of('instance')])
    .as('resources');
};
