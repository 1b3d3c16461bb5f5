import type * as t from 'io-ts';
import { type ReadDatabase } from './kit/database';
import { ExportJobSummary } from './views/export-job';
import { OpsInstanceStatus, type OpsState } from './views/ops-state';
import { SnapshotStatus } from './views/snapshot';

export const readOpsState = async (db: ReadDatabase): Promise<OpsState> => {
  const instances = await countByStatus(db, 'read.instances', OpsInstanceStatus);
  const snapshots = await countByStatus(db, 'read.snapshots', SnapshotStatus);
  const exportJobs = await countByStatus(db, 'read.export_jobs', ExportJobSummary.type.props.status);
  const [podless] = await db('read.instances').whereNull('pod_name').count<{ count: number }[]>({ count: '*' });
  return {
    instances: { ...instances, without_pod_name: podless?.count ?? 0 },
    snapshots,
    export_jobs: { by_status: exportJobs.by_status },
  };
};

const countByStatus = async <S extends Record<string, unknown>>(
  db: ReadDatabase,
  table: string,
  { keys }: t.KeyofC<S>,
): Promise<{ readonly total: number; readonly by_status: Record<keyof S, number> }> => {
  const grouped = db(table).groupBy('status').select('status');
  const rows = await grouped.count<{ status: string; count: number }[]>({ count: '*' });
  const countOf = new Map(rows.map(({ status, count }) => [status, count]));
  const byStatus = Object.fromEntries(Object.keys(keys).map((status) => [status, countOf.get(status) ?? 0]));
  return {
    total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
    // The entries were made from the same list of statuses.
    by_status: byStatus as Record<keyof S, number>,
  };
};
