import { type ReadDatabase, toNumber } from './kit/database';

const INSTANCE_STATUSES = [
  'waiting_for_snapshot',
  'starting',
  'running',
  'stopping',
  'stopped',
  'failed',
  'terminated',
] as const;
const SNAPSHOT_STATUSES = ['pending', 'creating', 'ready', 'failed'] as const;
const EXPORT_JOB_STATUSES = ['pending', 'claimed', 'submitted', 'completed', 'failed'] as const;

type Counts<S extends readonly string[]> = { readonly [K in S[number]]: number };

/** How many resources there are in each state. Nothing ever enters `stopped` or `terminated`. */
export interface OpsState {
  readonly instances: {
    readonly total: number;
    readonly by_status: Counts<typeof INSTANCE_STATUSES>;
    readonly without_pod_name: number;
  };
  readonly snapshots: { readonly total: number; readonly by_status: Counts<typeof SNAPSHOT_STATUSES> };
  readonly export_jobs: { readonly by_status: Counts<typeof EXPORT_JOB_STATUSES> };
}

export const readOpsState = async (db: ReadDatabase): Promise<OpsState> => {
  const instances = await countByStatus(db, 'read.instances', INSTANCE_STATUSES);
  const snapshots = await countByStatus(db, 'read.snapshots', SNAPSHOT_STATUSES);
  const exportJobs = await countByStatus(db, 'read.export_jobs', EXPORT_JOB_STATUSES);
  const [podless] = await db('read.instances').whereNull('pod_name').count<{ count: string }[]>({ count: '*' });
  return {
    instances: { ...instances, without_pod_name: toNumber(podless?.count ?? 0) },
    snapshots,
    export_jobs: { by_status: exportJobs.by_status },
  };
};

const countByStatus = async <S extends readonly string[]>(
  db: ReadDatabase,
  table: string,
  statuses: S,
): Promise<{ readonly total: number; readonly by_status: Counts<S> }> => {
  const grouped = db(table).groupBy('status').select('status');
  const rows = await grouped.count<{ status: string; count: string }[]>({ count: '*' });
  const countOf = new Map(rows.map(({ status, count }) => [status, toNumber(count)]));
  const byStatus = Object.fromEntries(statuses.map((status) => [status, countOf.get(status) ?? 0]));
  return {
    total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
    // The entries were made from the same list of statuses.
    by_status: byStatus as Counts<S>,
  };
};
