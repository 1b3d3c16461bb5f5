import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds, readPage, sorted } from './kit/list';
import { ExportJobListView } from './views/export-job';

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
  const newest = sorted(query, { sortBy: 'id', sortOrder: 'desc' });
  return readPage(newest, page, ExportJobListView, { entity_type: 'job_type', attempts: 'attempt' });
};

export const countPendingJobs = async (db: ReadDatabase): Promise<number> => {
  const [row] = await db('read.export_jobs').where('status', 'pending').count<{ count: number }[]>({ count: '*' });
  return row?.count ?? 0;
};
