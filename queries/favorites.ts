import { type FavoriteType } from '../domain/favorites';
import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { FavoriteView } from './views/user';
import { type Viewer, visibleInstances } from './visible-instances';

export interface FavoriteFilters extends ListQuery {
  readonly resource_type?: FavoriteType | undefined;
}

/**
 * The favorites of a user whose resources exist and are visible to the user, newest first by default. Searches names.
 */
export const listFavorites = (
  db: ReadDatabase,
  viewer: Viewer,
  filters: FavoriteFilters,
  page: PageBounds,
): Promise<Page<FavoriteView>> => {
  const query = db('favorites')
    .join(resources(db, viewer), { resource_type: 'resources.type', resource_id: 'resources.id' })
    .where({ username: viewer.username });
  if (filters.resource_type !== undefined) query.where('resource_type', filters.resource_type);
  filterList(query, filters, ['name']);
  const { sort_by = 'created_at' } = filters;
  const order = { ...filters, sort_by: COLUMNS[sort_by] ?? sort_by };
  const inOrder = sorted(query, order, [], 'resource_id').orderBy('resource_type');
  const others = { ...COLUMNS, resource_exists: null };
  return readPage(inOrder.select(db.raw('true AS resource_exists')), page, FavoriteView, others);
};

/** Columns whose names differ from their fields. */
const COLUMNS: Readonly<Record<string, string>> = { resource_name: 'name', resource_owner: 'owner_username' };

const resources = (db: ReadDatabase, viewer: Viewer) => {
  const of = (type: FavoriteType) =>
    (type === 'instance' ? visibleInstances(db, viewer) : db(`${type}s`)).select(
      db.raw('?::text AS type', [type]),
      'id',
      'name',
      'owner_username',
    );
  return of('mapping')
    .unionAll([of('snapshot'), of('instance')])
    .as('resources');
};
