import { type ReadDatabase, toNumber, toNumberOrNull, toTimestamp, toTimestampOrNull } from './kit/database';
import { type Page, type PageBounds, readPage } from './kit/list';

/** An export job as people see it. */
export interface ExportJobListView {
  readonly id: number;
  readonly snapshot_id: number;
  readonly entity_type: 'node' | 'edge';
  readonly entity_name: string;
  readonly status: 'pending' | 'claimed' | 'submitted' | 'completed' | 'failed';
  readonly attempts: number;
  readonly claimed_by: string | null;
  readonly claimed_at: string | null;
  readonly completed_at: string | null;
  readonly failed_at: string | null;
  readonly row_count: number | null;
  readonly size_bytes: number | null;
  readonly error_message: string | null;
  readonly created_at: string;
}

interface Row {
  readonly id: string;
  readonly snapshot_id: string;
  readonly job_type: ExportJobListView['entity_type'];
  readonly entity_name: string;
  readonly status: ExportJobListView['status'];
  readonly attempt: number;
  readonly claimed_by: string | null;
  readonly claimed_at: Date | null;
  readonly completed_at: Date | null;
  readonly failed_at: Date | null;
  readonly row_count: string | null;
  readonly size_bytes: string | null;
  readonly error_message: string | null;
  readonly created_at: Date;
}

const toView = (row: Row): ExportJobListView => ({
  id: toNumber(row.id),
  snapshot_id: toNumber(row.snapshot_id),
  entity_type: row.job_type,
  entity_name: row.entity_name,
  status: row.status,
  attempts: row.attempt,
  claimed_by: row.claimed_by,
  claimed_at: toTimestampOrNull(row.claimed_at),
  completed_at: toTimestampOrNull(row.completed_at),
  failed_at: toTimestampOrNull(row.failed_at),
  row_count: toNumberOrNull(row.row_count),
  size_bytes: toNumberOrNull(row.size_bytes),
  error_message: row.error_message,
  created_at: toTimestamp(row.created_at),
});

export interface ExportJobFilters {
  readonly status?: string | undefined;
  /** Owner of the snapshot. */
  readonly snapshotOwner?: string | undefined;
}

/** Newest first: by id, because the jobs of a snapshot are made side by side. */
export const listExportJobs = (
  db: ReadDatabase,
  { status, snapshotOwner }: ExportJobFilters,
  page: PageBounds,
): Promise<Page<ExportJobListView>> => {
  const query = db('read.export_jobs');
  // A worker's `running` is kept as `submitted`.
  if (status !== undefined) query.where('status', status === 'running' ? 'submitted' : status);
  if (snapshotOwner !== undefined) {
    query.whereIn('snapshot_id', db('read.snapshots').where('owner_username', snapshotOwner).select('id'));
  }
  return readPage(query.orderBy('id', 'desc'), page, toView);
};

export const countPendingJobs = async (db: ReadDatabase): Promise<number> => {
  const [row] = await db('read.export_jobs').where('status', 'pending').count<{ count: string }[]>({ count: '*' });
  return toNumber(row?.count ?? 0);
};
