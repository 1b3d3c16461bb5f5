import { type FavoriteType } from '../domain/favorites';
import { type ReadDatabase } from './kit/database';
import { type Page } from './kit/list';
import { columnsOf } from './kit/view';
import { FavoriteView } from './views/favorite';

export interface FavoriteFilters {
  readonly username: string;
  readonly resourceType?: FavoriteType | undefined;
}

/** The favorites of one user whose resources exist, newest first. */
export const listFavorites = async (
  db: ReadDatabase,
  { username, resourceType }: FavoriteFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Page<FavoriteView>> => {
  const query = db('read.favorites')
    .join(resources(db), { resource_type: 'resources.type', resource_id: 'resources.id' })
    .where({ username });
  if (resourceType !== undefined) query.where('resource_type', resourceType);
  const [counted] = await query.clone().count<{ total: number }[]>({ total: '*' });
  const ofResource = { resource_name: 'name', resource_owner: 'owner_username', resource_exists: null };
  const rows = await query
    .select<Omit<FavoriteView, 'resource_exists'>[]>(columnsOf(FavoriteView, ofResource))
    .orderBy('created_at', 'desc')
    .orderBy('resource_type')
    .orderBy('resource_id', 'desc')
    .offset(offset)
    .limit(limit);
  return { items: rows.map((row) => ({ ...row, resource_exists: true })), total: counted?.total ?? 0 };
};

const resources = (db: ReadDatabase) => {
  const of = (type: FavoriteType) =>
    db(`read.${type}s`).select(db.raw('?::text AS type', [type]), 'id', 'name', 'owner_username');
  return of('mapping')
    .unionAll([of('snapshot'), of('instance')])
    .as('resources');
};
