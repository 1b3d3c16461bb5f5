import { type FavoriteType } from '../domain/favorites';
import { type ReadDatabase, toNumber, toTimestamp } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

export interface FavoriteView {
  readonly resource_type: FavoriteType;
  readonly resource_id: number;
  readonly resource_name: string;
  readonly resource_owner: string;
  readonly created_at: string;
  /** A favorite goes with its resource. */
  readonly resource_exists: true;
}

interface Row extends Omit<FavoriteView, 'resource_id' | 'created_at' | 'resource_exists'> {
  readonly resource_id: string;
  readonly created_at: Date;
}

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
    .select('resource_type', 'resource_id', 'created_at', { resource_name: 'name', resource_owner: 'owner_username' })
    .orderBy('created_at', 'desc')
    .orderBy('resource_type')
    .orderBy('resource_id', 'desc');
  return readPage(newest, page, toView);
};

const resources = (db: ReadDatabase) => {
  const of = (type: FavoriteType) =>
    db(`read.${type}s`).select(db.raw('?::text AS type', [type]), 'id', 'name', 'owner_username');
  return of('mapping')
    .unionAll([of('snapshot'), of('instance')])
    .as('resources');
};

const toView = (row: Row): FavoriteView => ({
  ...row,
  resource_id: toNumber(row.resource_id),
  created_at: toTimestamp(row.created_at),
  resource_exists: true,
});
