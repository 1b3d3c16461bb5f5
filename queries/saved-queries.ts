import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { SavedQueryView } from './views/mapping';

/** A user's saved queries of a mapping, the last saved first by default. Null: the mapping does not exist. */
export const listSavedQueries = async (
  db: ReadDatabase,
  username: string,
  mappingId: number,
  filters: ListQuery,
  page: PageBounds,
): Promise<Page<SavedQueryView> | null> => {
  if ((await db('mappings').where({ id: mappingId }).first('id')) === undefined) return null;
  const query = db('saved_queries').where({ username, mapping_id: mappingId });
  filterList(query, filters, ['name', 'query'], 'updated_at');
  return readPage(sorted(query, { sort_by: 'updated_at', ...filters }, [], 'name'), page, SavedQueryView);
};
