import { type ReadDatabase } from './kit/database';
import {
  columnsOf,
  filterList,
  filterResources,
  type ListQuery,
  type Page,
  type PageBounds,
  readPage,
  type ResourceQuery,
  sorted,
} from './kit/list';
import { type MappingListView, MappingVersionSummary, MappingVersionView, MappingView } from './views/mapping';

export const findMapping = async (db: ReadDatabase, id: number): Promise<MappingView | null> =>
  (await db('mappings').where({ id }).first<MappingView | undefined>(columnsOf(MappingView))) ?? null;

export const listMappings = async (
  db: ReadDatabase,
  filters: ResourceQuery,
  bounds: PageBounds,
): Promise<Page<MappingListView>> => {
  const query = db('mappings');
  filterResources(query, filters);
  const page = await readPage(sorted(query, filters), bounds, MappingView);
  const ids = page.items.map(({ id }) => id);
  const counts = await db('snapshots')
    .whereIn('mapping_id', ids)
    .groupBy('mapping_id')
    .select('mapping_id')
    .count<{ mapping_id: number; count: number }[]>({ count: '*' });
  const countOf = new Map(counts.map(({ mapping_id, count }) => [mapping_id, count]));
  return {
    total: page.total,
    items: page.items.map((item) => ({ ...item, snapshot_count: countOf.get(item.id) ?? 0 })),
  };
};

export const findMappingVersion = async (
  db: ReadDatabase,
  mappingId: number,
  version: number,
): Promise<MappingVersionView | null> => {
  const found = db('mapping_versions').where({ mapping_id: mappingId, version });
  return (await found.first<MappingVersionView | undefined>(columnsOf(MappingVersionView))) ?? null;
};

/** Newest first by default. Searches the description of the change and its author. */
export const listMappingVersions = (
  db: ReadDatabase,
  mappingId: number,
  filters: ListQuery,
  page: PageBounds,
): Promise<Page<MappingVersionSummary>> => {
  const versions = db('mapping_versions').where('mapping_id', mappingId);
  filterList(versions, filters, ['change_description', 'created_by', 'created_by_name']);
  return readPage(sorted(versions, { sort_by: 'version', ...filters }, [], 'version'), page, MappingVersionSummary);
};
