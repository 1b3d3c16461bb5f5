import { SnapshotDetailView } from '../../../../queries/views/snapshot';
import { data, endpoint, IdParams } from '../../kit';

export const snapshotEndpoints = {
  getSnapshot: endpoint({
    method: 'GET',
    path: '/snapshots/{id}',
    summary: 'Get a snapshot, for debugging; POST /instances creates snapshots',
    access: 'user',
    resource: 'snapshot',
    params: IdParams,
    success: data(SnapshotDetailView),
  }),
};
