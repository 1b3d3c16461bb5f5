import { groupBy } from 'fp-ts/NonEmptyArray';
import { type SnapshotStatus } from '../domain/snapshot';
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
import { InstanceOfSnapshot } from './views/instance';
import {
  type MappingListView,
  type MappingTreeView,
  MappingVersionSummary,
  MappingVersionView,
  MappingView,
  TreeSnapshot,
  TreeVersion,
} from './views/mapping';
import { type Viewer, visibleInstances } from './visible-instances';

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

type VersionRow = Omit<TreeVersion, 'snapshot_count' | 'snapshots'>;
type SnapshotRow = Omit<TreeSnapshot, 'instance_count' | 'instances'> & { readonly mapping_version: number };
type InstanceRow = InstanceOfSnapshot & { readonly snapshot_id: number };

/**
 * Versions, their snapshots and the instances on them, newest first. `status` filters the snapshots in lists and
 * counts; without `includeInstances` the lists of instances are empty and the counts remain.
 */
export const findMappingTree = async (
  db: ReadDatabase,
  viewer: Viewer,
  { id, name, owner_username, current_version }: MappingView,
  options: { readonly includeInstances: boolean; readonly status: SnapshotStatus | undefined },
): Promise<MappingTreeView> => {
  const versions = await db('mapping_versions')
    .where('mapping_id', id)
    .orderBy('version', 'desc')
    .select<VersionRow[]>(columnsOf(TreeVersion, { snapshot_count: null, snapshots: null }));
  const matching = options.status === undefined ? {} : { status: options.status };
  const snapshotRows = await db('snapshots')
    .where({ mapping_id: id, ...matching })
    .orderBy('id', 'desc')
    .select<SnapshotRow[]>('mapping_version', columnsOf(TreeSnapshot, { instance_count: null, instances: null }));
  const instanceRows = await visibleInstances(db, viewer)
    .where('mapping_id', id)
    .whereNotNull('snapshot_id')
    .orderBy('id', 'desc')
    .select<InstanceRow[]>('snapshot_id', columnsOf(InstanceOfSnapshot));

  const instancesOf = groupBy((row: InstanceRow) => `${row.snapshot_id}`)(instanceRows);
  const snapshotsOf = groupBy((row: SnapshotRow) => `${row.mapping_version}`)(snapshotRows);
  const toSnapshot = ({ mapping_version: _version, ...snapshot }: SnapshotRow): TreeSnapshot => {
    const instances = (instancesOf[snapshot.id] ?? []).map(({ snapshot_id: _id, ...instance }) => instance);
    return {
      ...snapshot,
      instance_count: instances.length,
      instances: options.includeInstances ? instances : [],
    };
  };
  const tree = versions.map((version): TreeVersion => {
    const snapshots = (snapshotsOf[version.version] ?? []).map(toSnapshot);
    return { ...version, snapshot_count: snapshots.length, snapshots };
  });
  const all = tree.flatMap(({ snapshots }) => snapshots);
  const instance_count = all.reduce((sum, snapshot) => sum + snapshot.instance_count, 0);
  return {
    ...{ id, name, owner_username, current_version },
    versions: tree,
    totals: { version_count: tree.length, snapshot_count: all.length, instance_count },
  };
};
