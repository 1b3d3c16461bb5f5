import { type OperationExamples } from '../../kit';

export const opsExamples: OperationExamples = {
  getOpsState: [
    {
      summary: 'All resources by state',
      as: 'olivia',
      status: 200,
      answer: {
        instances: {
          total: 7,
          by_status: {
            waiting_for_snapshot: 6,
            starting: 0,
            running: 1,
            stopping: 0,
            stopped: 0,
            failed: 0,
            terminated: 0,
          },
          without_pod_name: 6,
        },
        snapshots: { total: 7, by_status: { pending: 6, creating: 0, ready: 1, failed: 0 } },
        export_jobs: { by_status: { pending: 12, claimed: 0, submitted: 0, completed: 2, failed: 0 } },
        retrieved_at: '2026-11-21T18:46:35.079Z',
      },
    },
  ],
  listOpsExportJobs: [
    {
      summary: 'The completed jobs of everybody',
      as: 'olivia',
      query: { status: 'completed', limit: 1 },
      status: 200,
      answer: [
        {
          id: 2,
          snapshot_id: 1,
          entity_type: 'edge',
          entity_name: 'KNOWS',
          status: 'completed',
          attempts: 1,
          claimed_at: '2026-11-21T18:46:30.618Z',
          completed_at: '2026-11-21T18:46:30.682Z',
          failed_at: null,
          error_message: null,
          created_at: '2026-11-21T18:46:30.408Z',
        },
      ],
      page: { total: 2, offset: 0, limit: 1 },
    },
    {
      summary: 'There is no such status',
      as: 'olivia',
      query: { status: 'done' },
      status: 400,
      answer: {
        code: 'VALIDATION_ERROR',
        message: 'status must be one of pending, claimed, submitted, running, completed, failed.',
        details: {
          field: 'status',
          errors: [
            { field: 'status', message: 'must be one of pending, claimed, submitted, running, completed, failed' },
          ],
        },
      },
    },
  ],
};
