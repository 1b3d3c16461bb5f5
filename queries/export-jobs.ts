import { EMBEDDED_WORKER_LEASE, MAX_ATTEMPTS } from '../domain/export-job';
import { type ExportDirectory, type ExportJobQueue } from '../domain/ports/directories';
import { type ClaimedJob } from '../domain/ports/export-polls';
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

/** Columns that the polls of a query change, and their types. */
const POLLED = { queryengine_query_id: 'text', next_uri: 'text', next_poll_at: 'timestamptz', poll_count: 'integer' };

/** The export jobs with the current state of their polls. */
const jobsWithPolls = (db: ReadDatabase) => {
  const polled = Object.entries(POLLED).map(
    ([column, type]) => `coalesce((p.columns->>'${column}')::${type}, j.${column}) AS ${column}`,
  );
  const others = [...Object.keys(WorkerJob.type.props), 'owned_by_worker', 'created_at']
    .filter((column) => !(column in POLLED))
    .map((column) => `j.${column}`);
  return db.from(
    db.raw(`(SELECT ${[...others, ...polled].join()} FROM export_jobs j
             LEFT JOIN es.export_polls p ON p.job_id = j.id AND p.attempt = j.attempt AND j.status <> 'pending') AS export_jobs`),
  );
};

export const findExportJobs = async (db: ReadDatabase, ids: readonly number[]): Promise<readonly WorkerJob[]> =>
  jobsWithPolls(db).whereIn('id', ids).orderBy('id').select<WorkerJob[]>(columnsOf(WorkerJob));

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
  const jobs = jobsWithPolls(db).where('snapshot_id', snapshotId).orderBy('id');
  // A worker's `running` is kept as `submitted`.
  if (status !== null) jobs.where('status', status === 'running' ? 'submitted' : status);
  return jobs.select<WorkerJob[]>(columnsOf(WorkerJob));
};

/** Submitted jobs that are due for a poll and that any worker can poll, the longest waiting first. */
export const listPollableJobs = (db: ReadDatabase, now: Date, limit: number): Promise<readonly WorkerJob[]> =>
  jobsWithPolls(db)
    .where('status', 'submitted')
    .where('next_poll_at', '<=', now)
    .where('owned_by_worker', false)
    .orderBy('next_poll_at')
    .limit(limit)
    .select<WorkerJob[]>(columnsOf(WorkerJob));

const CLAIM = { jobId: 'id', attempt: 'attempt' };

/** The open jobs that workers hold. */
const heldJobs = (db: ReadDatabase) =>
  db('export_jobs').whereIn('status', ['claimed', 'submitted']).whereRaw(`(status = 'claimed' OR owned_by_worker)`);

/** Open jobs claimed by workers whose ids begin like this. */
export const listJobsOfWorkers = (db: ReadDatabase, workerPrefix: string): Promise<readonly ClaimedJob[]> =>
  heldJobs(db).whereRaw('starts_with(claimed_by, ?)', workerPrefix).select<ClaimedJob[]>(CLAIM);

export const exportJobQueue = (db: ReadDatabase): ExportJobQueue => ({
  claimable: async (limit, except) => {
    const jobs = db('export_jobs').where('status', 'pending').whereNotIn('id', except).limit(limit);
    return jobs.orderByRaw('attempt < ?, id', MAX_ATTEMPTS - 1).select<ClaimedJob[]>(CLAIM);
  },
  heldBy: async (workerId) => heldJobs(db).where('claimed_by', workerId).select<ClaimedJob[]>(CLAIM),
});

export interface ExportJobFilters extends ListQuery {
  readonly status?: string | undefined;
  /** Owner of the snapshot. */
  readonly snapshotOwner?: string | undefined;
}

/**
 * Newest first by default: by id, because the jobs of a snapshot are created at the same time. Searches
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

/** A restarted control plane acquires its lease within this time. */
const GRACE_SECONDS = 10;

export const exportDirectory = (db: ReadDatabase): ExportDirectory => ({
  expiredClaims: async (before) => {
    const jobs = db('export_jobs').where('status', 'claimed').where('lease_until', '<', before).orderBy('id');
    return jobs.select<ClaimedJob[]>(CLAIM);
  },
  abandonedJobs: async (lastReportBefore) => {
    const jobs = jobsWithPolls(db)
      .whereRaw(`(status = 'claimed' OR status = 'submitted' AND owned_by_worker)`)
      .whereRaw(
        `(owned_by_worker AND next_poll_at < :lastReportBefore
          OR EXISTS (SELECT FROM es.leases
            WHERE starts_with(name, :lease) AND until < now() - make_interval(secs => :grace)
              AND starts_with(claimed_by, substr(name, length(:lease) + 1))))`,
        { lastReportBefore, lease: EMBEDDED_WORKER_LEASE, grace: GRACE_SECONDS },
      )
      .orderBy('id');
    return jobs.select<ClaimedJob[]>(CLAIM);
  },
  openJobs: async (begunBefore) => {
    const jobs = db('export_jobs').whereIn('status', ['claimed', 'submitted']);
    const begun = jobs.whereRaw('coalesce(claimed_at, created_at) < ?', begunBefore);
    return begun.orderBy('id').pluck<number[]>('id');
  },
  addressOf: async (jobId) => {
    const job = await jobsWithPolls(db).where('id', jobId).first<Pick<WorkerJob, 'next_uri'> | undefined>('next_uri');
    return job?.next_uri ?? null;
  },
  undecidedSnapshots: async (endedBefore) => {
    const snapshots = db('snapshots as s')
      .join('export_jobs as j', 'j.snapshot_id', 's.id')
      .whereIn('s.status', ['pending', 'creating'])
      .groupBy('s.id')
      .havingRaw(`bool_and(j.status IN ('completed', 'failed'))`)
      .havingRaw('max(greatest(j.completed_at, j.failed_at)) < ?', endedBefore)
      .orderBy('s.id');
    return snapshots.pluck<number[]>('s.id');
  },
});
