import { type InstanceStatus } from '../domain/instance';
import { type ReadDatabase, toNumber, toNumberOrNull, toTimestamp, toTimestampOrNull } from './kit/database';
import { newestFirst, type Page, type PageBounds, readPage } from './kit/list';

export type SnapshotStatus = 'pending' | 'creating' | 'ready' | 'failed';

/** How far an export is, a step per definition. */
interface SnapshotProgress {
  /** What a worker says it is doing, null when none does. */
  readonly phase: string | null;
  /** The definition being exported, null when none is. */
  readonly current_step: string | null;
  readonly completed_steps: number;
  readonly total_steps: number;
}

export interface SnapshotView {
  readonly id: number;
  readonly mapping_id: number;
  readonly mapping_name: string;
  readonly mapping_version: number;
  readonly owner_username: string;
  readonly name: string;
  readonly description: string;
  readonly storage_path: string;
  readonly size_bytes: number | null;
  readonly node_counts: Readonly<Record<string, number>>;
  readonly edge_counts: Readonly<Record<string, number>>;
  readonly status: SnapshotStatus;
  /** Null before its jobs are planned and once it is ready or failed. */
  readonly progress: SnapshotProgress | null;
  readonly error_message: string | null;
  /** Where the worker failed, if it said so. */
  readonly failed_step: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ttl: string | null;
  readonly inactivity_timeout: string;
}

export interface SnapshotListView extends SnapshotView {
  readonly instance_count: number;
}

export interface SnapshotDetailView extends SnapshotView {
  readonly last_used_at: string | null;
  readonly instances: readonly {
    readonly id: number;
    readonly name: string;
    readonly status: Exclude<InstanceStatus, 'deleted'>;
  }[];
}

interface Row extends Omit<
  SnapshotView,
  'id' | 'mapping_id' | 'size_bytes' | 'created_at' | 'updated_at' | 'progress'
> {
  readonly counted_progress: Omit<SnapshotProgress, 'phase'> | null;
  readonly reported_progress: Partial<SnapshotProgress> | null;
  readonly id: string;
  readonly mapping_id: string;
  readonly size_bytes: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_used_at: Date | null;
  readonly instance_count: string;
}

const snapshotRows = (db: ReadDatabase) =>
  db
    .from(
      db('read.snapshots as s')
        .select(
          's.*',
          db.raw('(SELECT count(*) FROM read.instances i WHERE i.snapshot_id = s.id) AS instance_count'),
          db.raw(`(SELECT CASE WHEN count(*) > 0 AND s.status IN ('pending', 'creating') THEN json_build_object(
                     'current_step', min(entity_name) FILTER (WHERE j.status IN ('claimed', 'submitted')),
                     'completed_steps', count(*) FILTER (WHERE j.status = 'completed'),
                     'total_steps', count(*)) END
                   FROM read.export_jobs j WHERE j.snapshot_id = s.id) AS counted_progress`),
          'p.data as reported_progress',
        )
        .leftJoin('telemetry.snapshot_progress as p', 'p.snapshot_id', 's.id')
        .as('snapshots'),
    )
    .clone();

const toView = (row: Row): SnapshotView => ({
  id: toNumber(row.id),
  mapping_id: toNumber(row.mapping_id),
  mapping_name: row.mapping_name,
  mapping_version: row.mapping_version,
  owner_username: row.owner_username,
  name: row.name,
  // Snapshots are made by the system, which names but does not describe them.
  description: '',
  storage_path: row.storage_path,
  size_bytes: toNumberOrNull(row.size_bytes),
  node_counts: row.node_counts,
  edge_counts: row.edge_counts,
  status: row.status,
  progress: progressOf(row),
  error_message: row.error_message,
  failed_step: row.failed_step,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  ttl: row.ttl,
  inactivity_timeout: row.inactivity_timeout,
});

/** What a worker reports, and beside it what the jobs show. */
const progressOf = ({ status, reported_progress, counted_progress }: Row): SnapshotProgress | null => {
  if (status === 'ready' || status === 'failed') return null;
  if (reported_progress === null && counted_progress === null) return null;
  return {
    ...{ phase: null, current_step: null, completed_steps: 0, total_steps: 0 },
    ...counted_progress,
    ...reported_progress,
  };
};

export const findSnapshot = async (db: ReadDatabase, id: number): Promise<SnapshotDetailView | null> => {
  const row = await snapshotRows(db).where({ id }).first<Row | undefined>('*');
  if (row === undefined) return null;
  const instances = await db('read.instances')
    .where('snapshot_id', id)
    .orderBy('id', 'desc')
    .select<{ id: string; name: string; status: Exclude<InstanceStatus, 'deleted'> }[]>('id', 'name', 'status');
  return {
    ...toView(row),
    last_used_at: toTimestampOrNull(row.last_used_at),
    instances: instances.map((instance) => ({ ...instance, id: toNumber(instance.id) })),
  };
};

/** The snapshots of all versions of a mapping, newest first. */
export const listMappingSnapshots = (
  db: ReadDatabase,
  mappingId: number,
  page: PageBounds,
): Promise<Page<SnapshotListView>> => {
  const toItem = (row: Row): SnapshotListView => ({ ...toView(row), instance_count: toNumber(row.instance_count) });
  const snapshots = snapshotRows(db).where('mapping_id', mappingId);
  return readPage(newestFirst(snapshots), page, toItem);
};
