import { type OperationExamples } from '../../kit';

export const snapshotExamples: OperationExamples = {
  getSnapshot: [
    {
      summary: 'A snapshot that is ready',
      as: 'ada',
      params: { id: 1 },
      status: 200,
      answer: {
        id: 1,
        mapping_id: 1,
        mapping_name: 'Town',
        mapping_version: 2,
        owner_username: 'ada',
        name: 'Snapshot of Town v2',
        description: '',
        storage_path: 'file:///var/lib/rowgraph/objects/ada/1/v2/1/',
        size_bytes: 4096,
        node_counts: { Person: 100 },
        edge_counts: { KNOWS: 100 },
        status: 'ready',
        progress: null,
        error_message: null,
        failed_step: null,
        created_at: '2026-11-21T18:46:30.223Z',
        updated_at: '2026-11-21T18:46:30.789Z',
        ttl: 'P7D',
        inactivity_timeout: 'P3D',
        last_used_at: '2026-11-21T18:46:31.119Z',
        instances: [{ id: 1, name: 'Town graph', status: 'running' }],
      },
    },
    {
      summary: 'There is no such snapshot',
      as: 'ada',
      params: { id: 404 },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message: 'There is no snapshot 404. It may have been deleted; list what exists.',
        details: { snapshot_id: 404 },
      },
    },
  ],
};
