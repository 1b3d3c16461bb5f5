import { type ReadDatabase, toNumber, toTimestamp } from './kit/database';
import { filterResources, type ListOptions, type Page, readPage, type ResourceFilters, sorted } from './kit/list';

export interface MappingView {
  readonly id: number;
  readonly owner_username: string;
  readonly name: string;
  readonly description: string;
  readonly current_version: number;
  readonly ttl: string | null;
  readonly inactivity_timeout: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface MappingListView extends MappingView {
  readonly snapshot_count: number;
}

interface Row extends Omit<MappingView, 'id' | 'created_at' | 'updated_at'> {
  readonly id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const toView = (row: Row): MappingView => ({
  id: toNumber(row.id),
  owner_username: row.owner_username,
  name: row.name,
  description: row.description,
  current_version: row.current_version,
  ttl: row.ttl,
  inactivity_timeout: row.inactivity_timeout,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});

export const findMapping = async (db: ReadDatabase, id: number): Promise<MappingView | null> => {
  const row = await db('read.mappings').where({ id }).first<Row | undefined>('*');
  return row === undefined ? null : toView(row);
};

export const listMappings = async (
  db: ReadDatabase,
  filters: ResourceFilters,
  options: ListOptions,
): Promise<Page<MappingListView>> => {
  const query = db('read.mappings');
  filterResources(query, filters);
  const page = await readPage(sorted(query, options), options, toView);
  const ids = page.items.map(({ id }) => id);
  const counts = await db('read.snapshots')
    .whereIn('mapping_id', ids)
    .groupBy('mapping_id')
    .select('mapping_id')
    .count<{ mapping_id: string; count: string }[]>({ count: '*' });
  const countOf = new Map(counts.map((row) => [toNumber(row.mapping_id), toNumber(row.count)]));
  return {
    total: page.total,
    items: page.items.map((item) => ({ ...item, snapshot_count: countOf.get(item.id) ?? 0 })),
  };
};
