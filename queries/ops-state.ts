import type * as t from 'io-ts';
import { type LiveStatus } from '../domain/instance';
import { SnapshotStatus } from '../domain/snapshot';
import { COUNTED } from './instances';
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
import { ExportJobSummary } from './views/export-job';
import { PodToRun } from './views/instance';
import { type InstanceCounts, OpsInstanceStatus, type OpsState, SealView } from './views/ops';

export const readOpsState = async (db: ReadDatabase): Promise<OpsState> => {
  const instances = await countByStatus(db, 'instances', OpsInstanceStatus);
  const snapshots = await countByStatus(db, 'snapshots', SnapshotStatus);
  const exportJobs = await countByStatus(db, 'export_jobs', ExportJobSummary.type.props.status);
  return {
    instances: { ...instances, without_pod_name: await countRows(db('instances').whereNull('pod_name')) },
    snapshots,
    export_jobs: { by_status: exportJobs.by_status },
    seal: (await db('newest_seal').first<SealView | undefined>(columnsOf(SealView))) ?? null,
    verification: await readVerification(db),
  };
};

const readVerification = async (db: ReadDatabase): Promise<OpsState['verification']> => {
  const number = (name: string) => db.raw<number>(`(result ->> '${name}')::float8 AS ${name}`);
  const ended = db('es.job_runs').where('job_name', 'verification').whereNotNull('result').orderBy('id', 'desc');
  const columns = ['ended_at', number('events_verified'), number('differences')];
  return (await ended.first<OpsState['verification'] | undefined>(columns)) ?? null;
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
    // The entries have the same list of statuses as keys.
    by_status: byStatus as Record<keyof S, number>,
  };
};

export interface ClusterInstances extends InstanceCounts {
  /** Number of instances that count against the limits. */
  readonly used: number;
}

export const countFailedInstances = (db: ReadDatabase): Promise<number> =>
  countRows(db('instances').where('status', 'failed'));

/** All instances, counted by state and by owner in one query. */
export const readClusterInstances = async (db: ReadDatabase): Promise<ClusterInstances> => {
  const grouped = db('instances').groupBy('owner_username', 'status').select('owner_username', 'status');
  const rows = await grouped.count<{ owner_username: string; status: LiveStatus; count: number }[]>({ count: '*' });
  const byStatus = { waiting_for_snapshot: 0, starting: 0, running: 0, stopping: 0, failed: 0 };
  const byOwner = new Map<string, number>();
  for (const { owner_username: owner, status, count } of rows) {
    byStatus[status] += count;
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + count);
  }
  const owners = [...byOwner].map(([owner_username, count]) => ({ owner_username, count }));
  return {
    total: owners.reduce((sum, { count }) => sum + count, 0),
    by_status: byStatus,
    by_owner: owners.sort((a, b) => b.count - a.count || (a.owner_username < b.owner_username ? -1 : 1)),
    used: COUNTED.reduce((sum, status) => sum + byStatus[status], 0),
  };
};

interface PodQuery extends ListQuery {
  readonly status?: PodToRun['status'] | undefined;
}

/** The instances that need a pod; the pods of all others must be stopped. Searches names and owners. */
export const listPodsToRun = (db: ReadDatabase, filters: PodQuery, page: PageBounds): Promise<Page<PodToRun>> => {
  const query = db('instances').whereIn('status', ['starting', 'running']);
  filterList(query, filters, ['name', 'owner_username']);
  if (filters.status !== undefined) query.where('status', filters.status);
  return readPage(sorted(query, filters), page, PodToRun, { instance_id: 'id' });
};
