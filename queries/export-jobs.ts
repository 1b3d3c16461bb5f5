import { type ExportJobQueue } from '../domain/ports/export-job-queue';
import { LOCAL_EXPORT } from '../domain/ports/query-engine';
import { type ReadDatabase, toNumber, toNumberOrNull, toTimestampOrNull } from './kit/database';

/** An export job as workers see it. */
export interface ExportJobView {
  readonly id: number;
  readonly snapshot_id: number;
  readonly job_type: 'node' | 'edge';
  readonly entity_name: string;
  readonly status: string;
  readonly sql: string;
  readonly column_names: readonly string[];
  readonly queryengine_catalog: string | null;
  readonly storage_path: string;
  readonly attempt: number;
  readonly claimed_by: string | null;
  readonly claimed_at: string | null;
  readonly queryengine_query_id: string | null;
  readonly next_uri: string | null;
  readonly next_poll_at: string | null;
  readonly poll_count: number;
  readonly row_count: number | null;
  readonly size_bytes: number | null;
  readonly submitted_at: string | null;
  readonly completed_at: string | null;
  readonly error_message: string | null;
}

type Counted = 'row_count' | 'size_bytes';
type Dated = 'claimed_at' | 'next_poll_at' | 'submitted_at' | 'completed_at';

/** The same as the database gives it. */
type Row = Omit<ExportJobView, 'id' | 'snapshot_id' | Counted | Dated> &
  Readonly<Record<'id' | 'snapshot_id', string>> &
  Readonly<Record<Counted, string | null>> &
  Readonly<Record<Dated, Date | null>>;

const toView = (row: Row): ExportJobView => ({
  id: toNumber(row.id),
  snapshot_id: toNumber(row.snapshot_id),
  job_type: row.job_type,
  entity_name: row.entity_name,
  status: row.status,
  sql: row.sql,
  column_names: row.column_names,
  queryengine_catalog: row.queryengine_catalog,
  storage_path: row.storage_path,
  attempt: row.attempt,
  claimed_by: row.claimed_by,
  claimed_at: toTimestampOrNull(row.claimed_at),
  queryengine_query_id: row.queryengine_query_id,
  next_uri: row.next_uri,
  next_poll_at: toTimestampOrNull(row.next_poll_at),
  poll_count: row.poll_count,
  row_count: toNumberOrNull(row.row_count),
  size_bytes: toNumberOrNull(row.size_bytes),
  submitted_at: toTimestampOrNull(row.submitted_at),
  completed_at: toTimestampOrNull(row.completed_at),
  error_message: row.error_message,
});

export const findExportJobs = async (db: ReadDatabase, ids: readonly number[]): Promise<readonly ExportJobView[]> => {
  const rows = await db('read.export_jobs').whereIn('id', ids).orderBy('id').select<Row[]>('*');
  return rows.map(toView);
};

/** Where each of these jobs stands; those that were deleted with their snapshot are left out. */
export const findExportJobStatuses = async (
  db: ReadDatabase,
  ids: readonly number[],
): Promise<readonly Pick<ExportJobView, 'id' | 'status' | 'attempt'>[]> => {
  const jobs = db('read.export_jobs').whereIn('id', ids).orderBy('id');
  const rows = await jobs.select<Pick<Row, 'id' | 'status' | 'attempt'>[]>('id', 'status', 'attempt');
  return rows.map(({ id, status, attempt }) => ({ id: toNumber(id), status, attempt }));
};

/** The export jobs of a snapshot, in the order of its definitions; null for an unknown snapshot. */
export const listSnapshotJobs = async (
  db: ReadDatabase,
  snapshotId: number,
  status: string | null,
): Promise<readonly ExportJobView[] | null> => {
  const known = await db('read.snapshots').where('id', snapshotId).first<{ id: string } | undefined>('id');
  if (known === undefined) return null;
  const jobs = db('read.export_jobs').where('snapshot_id', snapshotId).orderBy('id');
  // A worker's `running` is kept as `submitted`.
  if (status !== null) jobs.where('status', status === 'running' ? 'submitted' : status);
  return (await jobs.select<Row[]>('*')).map(toView);
};

/** Submitted jobs whose next poll is due and whose query others can ask for, the longest waiting first. */
export const listPollableJobs = async (
  db: ReadDatabase,
  now: Date,
  limit: number,
): Promise<readonly ExportJobView[]> => {
  const rows = await db('read.export_jobs')
    .where('status', 'submitted')
    .where('next_poll_at', '<=', now)
    .whereRaw(`NOT starts_with(coalesce(next_uri, ''), ?)`, LOCAL_EXPORT)
    .orderBy('next_poll_at')
    .limit(limit)
    .select<Row[]>('*');
  return rows.map(toView);
};

export const exportJobQueue = (db: ReadDatabase): ExportJobQueue => ({
  claimable: async (limit, except) => {
    const jobs = db('read.export_jobs').where('status', 'pending').whereNotIn('id', except).orderBy('id').limit(limit);
    const rows = await jobs.select<{ id: string }[]>('id');
    return rows.map(({ id }) => toNumber(id));
  },
  heldBy: async (workerPrefix) => {
    const jobs = db('read.export_jobs')
      .whereIn('status', ['claimed', 'submitted'])
      .whereRaw('starts_with(claimed_by, ?)', workerPrefix);
    const rows = await jobs.select<{ id: string; attempt: number }[]>('id', 'attempt');
    return rows.map(({ id, attempt }) => ({ jobId: toNumber(id), attempt }));
  },
});
