import { type OperationExamples } from '../../kit';

export const exportJobExamples: OperationExamples = {
  listExportJobs: [
    {
      summary: 'The completed jobs of your snapshots',
      as: 'ada',
      query: { status: 'completed' },
      status: 200,
      answer: [
        {
          id: 2,
          snapshot_id: 1,
          entity_type: 'edge',
          entity_name: 'KNOWS',
          status: 'completed',
          attempts: 1,
          claimed_by: 'worker-1',
          claimed_at: '2026-11-21T18:46:30.618Z',
          completed_at: '2026-11-21T18:46:30.682Z',
          failed_at: null,
          row_count: 100,
          size_bytes: 2048,
          error_message: null,
          created_at: '2026-11-21T18:46:30.408Z',
        },
        {
          id: 1,
          snapshot_id: 1,
          entity_type: 'node',
          entity_name: 'Person',
          status: 'completed',
          attempts: 1,
          claimed_by: 'worker-1',
          claimed_at: '2026-11-21T18:46:30.469Z',
          completed_at: '2026-11-21T18:46:30.533Z',
          failed_at: null,
          row_count: 100,
          size_bytes: 2048,
          error_message: null,
          created_at: '2026-11-21T18:46:30.385Z',
        },
      ],
      page: { total: 2, offset: 0, limit: 50 },
    },
  ],
  countPendingExportJobs: [
    { summary: 'For autoscalers, without envelope', as: null, status: 200, answer: { pendingCount: 12 } },
  ],
};
