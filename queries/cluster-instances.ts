import { COUNTED } from './instances';
import { type ReadDatabase } from './kit/database';
import { type LiveStatus } from './views/instance';
import { type InstanceCounts } from './views/ops-state';

export interface ClusterInstances extends InstanceCounts {
  /** How many count against the limits. */
  readonly used: number;
}

/** All instances, counted by state and by owner in one look at the read model. */
export const readClusterInstances = async (db: ReadDatabase): Promise<ClusterInstances> => {
  const grouped = db('read.instances').groupBy('owner_username', 'status').select('owner_username', 'status');
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
