import { type ExportDirectory } from '../domain/ports/directories';
import { EMBEDDED_WORKER_LEASE } from '../domain/export-job';
import { type ReadDatabase } from './kit/database';

/** A restarted control plane acquires its lease within this time. */
const GRACE_SECONDS = 10;

interface ClaimedJob {
  readonly jobId: number;
  readonly attempt: number;
}
const CLAIM = { jobId: 'id', attempt: 'attempt' };

export const exportDirectory = (db: ReadDatabase): ExportDirectory => ({
  lapsedClaims: async (before) => {
    const jobs = db('export_jobs').where('status', 'claimed').where('lease_until', '<', before).orderBy('id');
    return jobs.select<ClaimedJob[]>(CLAIM);
  },
  abandonedJobs: async (silentSince) => {
    const jobs = db('export_jobs')
      .whereRaw(`(status = 'claimed' OR status = 'submitted' AND owned_by_worker)`)
      .whereRaw(
        `(owned_by_worker AND next_poll_at < :silentSince
          OR EXISTS (SELECT FROM es.leases
            WHERE starts_with(name, :lease) AND until < now() - make_interval(secs => :grace)
              AND starts_with(claimed_by, substr(name, length(:lease) + 1))))`,
        { silentSince, lease: EMBEDDED_WORKER_LEASE, grace: GRACE_SECONDS },
      )
      .orderBy('id');
    return jobs.select<ClaimedJob[]>(CLAIM);
  },
  openJobs: async (begunBefore) => {
    const jobs = db('export_jobs').whereIn('status', ['claimed', 'submitted']);
    const begun = jobs.whereRaw('coalesce(claimed_at, created_at) < ?', begunBefore);
    return begun.orderBy('id').pluck<number[]>('id');
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
