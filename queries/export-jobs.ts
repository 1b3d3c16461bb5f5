import { type ReadDatabase } from './kit/database';
import {
  columnsOf,
  countRows,
  filterList,
  type ListQuery,
  type Page,
  type PageBounds,
  readPage,
  sorted,
} from './kit/list';
import { ExportJobListView, ExportJobStatus, WorkerJob } from './views/export-job';
import { type ExportJobQueue } from '../domain/ports/directories';

export const findExportJobs = async (db: ReadDatabase, ids: readonly number[]): Promise<readonly WorkerJob[]> =>
  db('export_jobs').whereIn('id', ids).orderBy('id').select<WorkerJob[]>(columnsOf(WorkerJob));

/** The status of each of these jobs; jobs that were deleted with their snapshot are omitted. */
export const findExportJobStatuses = async (
  db: ReadDatabase,
  ids: readonly number[],
): Promise<readonly ExportJobStatus[]> => {
  const jobs = db('export_jobs').whereIn('id', ids).orderBy('id');
  return jobs.select<ExportJobStatus[]>(columnsOf(ExportJobStatus));
};

/** The export jobs of a snapshot, in the order of its definitions; null for an unknown snapshot. */
export const listSnapshotJobs = async (
  db: ReadDatabase,
  snapshotId: number,
  status: string | null,
): Promise<readonly WorkerJob[] | null> => {
  const known = await db('snapshots').where('id', snapshotId).first<{ id: number } | undefined>('id');
  if (known === undefined) return null;
  const jobs = db('export_jobs').where('snapshot_id', snapshotId).orderBy('id');
  // A worker's `running` is kept as `submitted`.
  if (status !== null) jobs.where('status', status === 'running' ? 'submitted' : status);
  return jobs.select<WorkerJob[]>(columnsOf(WorkerJob));
};

/** Submitted jobs that are due for a poll and that any worker can poll, the longest waiting first. */
export const listPollableJobs = (db: ReadDatabase, now: Date, limit: number): Promise<readonly WorkerJob[]> =>
  db('export_jobs')
    .where('status', 'submitted')
    .where('next_poll_at', '<=', now)
    .where('owned_by_worker', false)
    .orderBy('next_poll_at')
    .limit(limit)
    .select<WorkerJob[]>(columnsOf(WorkerJob));

export const exportJobQueue = (db: ReadDatabase): ExportJobQueue => ({
  claimable: async (limit, except) => {
    const jobs = db('export_jobs').where('status', 'pending').whereNotIn('id', except).orderBy('id').limit(limit);
    return jobs.pluck<number[]>('id');
  },
  heldBy: async (workerPrefix) => {
    const jobs = db('export_jobs')
      .whereIn('status', ['claimed', 'submitted'])
      .whereRaw(`(status = 'claimed' OR owned_by_worker)`)
      .whereRaw('starts_with(claimed_by, ?)', workerPrefix);
    return jobs.select<{ jobId: number; attempt: number }[]>({ jobId: 'id', attempt: 'attempt' });
  },
});

export interface ExportJobFilters extends ListQuery {
  readonly status?: string | undefined;
  /** Owner of the snapshot. */
  readonly snapshotOwner?: string | undefined;
}

/**
 * Newest first unless asked otherwise: by id, because the jobs of a snapshot are created at the same time. Searches
 * entities and errors.
 */
export const listExportJobs = (
  db: ReadDatabase,
  filters: ExportJobFilters,
  page: PageBounds,
): Promise<Page<ExportJobListView>> => {
  const { status, snapshotOwner, sort_by = 'created_at' } = filters;
  const query = db('export_jobs');
  filterList(query, filters, ['entity_name', 'error_message']);
  // A worker's `running` is kept as `submitted`.
  if (status !== undefined) query.where('status', status === 'running' ? 'submitted' : status);
  if (snapshotOwner !== undefined) {
    query.whereIn('snapshot_id', db('snapshots').where('owner_username', snapshotOwner).select('id'));
  }
  const order = { ...filters, sort_by: sort_by === 'created_at' ? 'id' : sort_by };
  return readPage(sorted(query, order, ['completed_at', 'row_count', 'size_bytes']), page, ExportJobListView, {
    entity_type: 'job_type',
  });
};

export const countPendingJobs = (db: ReadDatabase): Promise<number> =>
  countRows(db('export_jobs').where('status', 'pending'));
