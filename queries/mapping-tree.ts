import { type InstanceStatus } from '../domain/instance';
import { type ReadDatabase, toNumber, toTimestamp } from './kit/database';
import { type MappingView } from './mappings';
import { type SnapshotStatus } from './snapshots';

interface TreeInstance {
  readonly id: number;
  readonly name: string;
  readonly status: Exclude<InstanceStatus, 'deleted'>;
}

interface TreeSnapshot {
  readonly id: number;
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly created_at: string;
  readonly instance_count: number;
  readonly instances: readonly TreeInstance[];
}

interface TreeVersion {
  readonly version: number;
  readonly change_description: string | null;
  readonly created_at: string;
  readonly snapshot_count: number;
  readonly snapshots: readonly TreeSnapshot[];
}

export interface MappingTreeView {
  readonly id: number;
  readonly name: string;
  readonly owner_username: string;
  readonly current_version: number;
  readonly versions: readonly TreeVersion[];
  readonly totals: {
    readonly version_count: number;
    readonly snapshot_count: number;
    readonly instance_count: number;
  };
}

interface VersionRow {
  readonly version: number;
  readonly change_description: string | null;
  readonly created_at: Date;
}

interface SnapshotRow {
  readonly id: string;
  readonly mapping_version: number;
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly created_at: Date;
}

interface InstanceRow extends Omit<TreeInstance, 'id'> {
  readonly id: string;
  readonly snapshot_id: string;
}

/**
 * Versions, their snapshots and the instances on them, newest first. `status` leaves other snapshots out of lists and
 * counts; without `includeInstances` their lists are empty and the counts stay.
 */
export const findMappingTree = async (
  db: ReadDatabase,
  { id, name, owner_username, current_version }: MappingView,
  options: { readonly includeInstances: boolean; readonly status: SnapshotStatus | undefined },
): Promise<MappingTreeView> => {
  const versions = await db('read.mapping_versions')
    .where('mapping_id', id)
    .orderBy('version', 'desc')
    .select<VersionRow[]>('version', 'change_description', 'created_at');
  const matching = options.status === undefined ? {} : { status: options.status };
  const snapshotRows = await db('read.snapshots')
    .where({ mapping_id: id, ...matching })
    .orderBy('id', 'desc')
    .select<SnapshotRow[]>('id', 'mapping_version', 'name', 'status', 'created_at');
  const instanceRows = await db('read.instances')
    .where('mapping_id', id)
    .whereNotNull('snapshot_id')
    .orderBy('id', 'desc')
    .select<InstanceRow[]>('id', 'name', 'status', 'snapshot_id');

  const instancesOf = groupBy(instanceRows, (row) => row.snapshot_id);
  const snapshotsOf = groupBy(snapshotRows, (row) => row.mapping_version);
  const toSnapshot = (row: SnapshotRow): TreeSnapshot => {
    const instances = instancesOf.get(row.id) ?? [];
    return {
      id: toNumber(row.id),
      name: row.name,
      status: row.status,
      created_at: toTimestamp(row.created_at),
      instance_count: instances.length,
      instances: options.includeInstances
        ? instances.map((instance) => ({
            id: toNumber(instance.id),
            name: instance.name,
            status: instance.status,
          }))
        : [],
    };
  };
  const tree = versions.map(({ version, change_description, created_at }): TreeVersion => {
    const snapshots = (snapshotsOf.get(version) ?? []).map(toSnapshot);
    const snapshot_count = snapshots.length;
    return { version, change_description, created_at: toTimestamp(created_at), snapshot_count, snapshots };
  });
  const all = tree.flatMap(({ snapshots }) => snapshots);
  const instance_count = all.reduce((sum, snapshot) => sum + snapshot.instance_count, 0);
  return {
    ...{ id, name, owner_username, current_version },
    versions: tree,
    totals: { version_count: tree.length, snapshot_count: all.length, instance_count },
  };
};

const groupBy = <T, K>(rows: readonly T[], keyOf: (row: T) => K): ReadonlyMap<K, readonly T[]> => {
  const groups = new Map<K, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
};
