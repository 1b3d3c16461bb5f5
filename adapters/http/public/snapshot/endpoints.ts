import { SnapshotDetailView } from '../../../../queries/views/snapshot';
import { data, endpoint, IdParams } from '../../kit';

export const snapshotEndpoints = {
  getSnapshot: endpoint({
    method: 'GET',
    path: '/snapshots/{id}',
    summary: 'One snapshot, for finding errors; snapshots are made by POST /instances',
    access: 'user',
    resource: 'snapshot',
    params: IdParams,
    success: data(SnapshotDetailView),
  }),
};
