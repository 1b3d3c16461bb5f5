import { type OperationExamples } from '../../kit';

export const clusterExamples: OperationExamples = {
  getClusterHealth: [
    {
      summary: 'Everything answers',
      as: 'olivia',
      status: 200,
      answer: {
        status: 'healthy',
        components: {
          database: { status: 'healthy', latency_ms: 3.79 },
          kubernetes: { status: 'not_configured', latency_ms: null },
          queryengine: { status: 'healthy', latency_ms: 11.24 },
        },
        checked_at: '2026-11-21T18:46:35.243Z',
      },
    },
  ],
  getClusterInstances: [
    {
      summary: 'Whose instances there are',
      as: 'olivia',
      status: 200,
      answer: {
        total: 7,
        by_status: { waiting_for_snapshot: 6, starting: 0, running: 1, stopping: 0, failed: 0 },
        by_owner: [
          { owner_username: 'carl', count: 5 },
          { owner_username: 'ada', count: 2 },
        ],
        limits: { per_analyst: 5, cluster_total: 50, cluster_used: 7, cluster_available: 43 },
      },
    },
  ],
};
