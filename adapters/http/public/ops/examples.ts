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
        retrieved_at: '2026-11-21T19:13:56.844Z',
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
          claimed_at: '2026-11-21T19:13:51.342Z',
          completed_at: '2026-11-21T19:13:51.540Z',
          failed_at: null,
          error_message: null,
          created_at: '2026-11-21T19:13:51.146Z',
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
  getJobsStatus: [
    {
      summary: 'When each job ran, and when it runs',
      as: 'olivia',
      status: 200,
      answer: {
        jobs: [
          {
            name: 'reconciliation',
            last_success_at: '2026-11-21T19:13:48.317Z',
            last_failure_at: null,
            consecutive_failures: 0,
            running_since: null,
            next_run_at: '2026-11-21T19:18:48.188Z',
            open_trigger: null,
            last_runs: [
              {
                started_at: '2026-11-21T19:13:48.188Z',
                ended_at: '2026-11-21T19:13:48.317Z',
                triggered_by: null,
                result: {
                  pods_deleted: 0,
                  commands_stuck: 0,
                  slots_released: 0,
                  instances_failed: 0,
                  instances_deleted: 0,
                  lost_pods_recorded: 0,
                },
                error: null,
              },
            ],
            schedule: 'every 5 minutes',
            health_status: 'healthy',
          },
          {
            name: 'lifecycle',
            last_success_at: null,
            last_failure_at: null,
            consecutive_failures: 0,
            running_since: null,
            next_run_at: null,
            open_trigger: null,
            last_runs: [],
            schedule: 'every 5 minutes',
            health_status: 'healthy',
          },
          {
            name: 'export_reconciliation',
            last_success_at: null,
            last_failure_at: null,
            consecutive_failures: 0,
            running_since: null,
            next_run_at: null,
            open_trigger: null,
            last_runs: [],
            schedule: 'every 5 seconds',
            health_status: 'healthy',
          },
          {
            name: 'schema_cache',
            last_success_at: '2026-11-21T19:13:48.393Z',
            last_failure_at: null,
            consecutive_failures: 0,
            running_since: null,
            next_run_at: '2026-11-22T19:13:48.217Z',
            open_trigger: null,
            last_runs: [
              {
                started_at: '2026-11-21T19:13:48.217Z',
                ended_at: '2026-11-21T19:13:48.393Z',
                triggered_by: null,
                result: { tables: 4, columns: 10, catalogs: 1, catalogs_forgotten: 0 },
                error: null,
              },
            ],
            schedule: 'every 24 hours',
            health_status: 'healthy',
          },
          {
            name: 'resource_monitor',
            last_success_at: '2026-11-21T19:13:48.237Z',
            last_failure_at: null,
            consecutive_failures: 0,
            running_since: null,
            next_run_at: '2026-11-21T19:14:48.189Z',
            open_trigger: null,
            last_runs: [
              {
                started_at: '2026-11-21T19:13:48.189Z',
                ended_at: '2026-11-21T19:13:48.237Z',
                triggered_by: null,
                result: { memory_upgrades: 0, instances_looked_at: 0 },
                error: null,
              },
            ],
            schedule: 'every 60 seconds',
            health_status: 'healthy',
          },
        ],
        runs_on: 'rowgraph-0:1:fad5393b',
        retrieved_at: '2026-11-21T19:13:57.059Z',
      },
    },
  ],
  triggerJob: [
    {
      summary: 'Look for expired resources now',
      as: 'olivia',
      body: { job_name: 'lifecycle', reason: 'Room is needed for the demo' },
      status: 200,
      answer: {
        job_name: 'lifecycle',
        status: 'queued',
        triggered_at: '2026-11-21T19:13:59.585Z',
        triggered_by: 'olivia',
        reason: 'Room is needed for the demo',
      },
    },
    {
      summary: 'Twice within a minute',
      as: 'olivia',
      body: { job_name: 'lifecycle', reason: 'Still no room' },
      status: 429,
      answer: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The job lifecycle was triggered less than 60 seconds ago. Try again in 60 seconds.',
        details: { job_name: 'lifecycle', retry_after_seconds: 60 },
      },
    },
    {
      summary: 'There is no such job',
      as: 'olivia',
      body: { job_name: 'tidy_up', reason: 'Room is needed for the demo' },
      status: 400,
      answer: {
        code: 'VALIDATION_ERROR',
        message:
          'job_name must be one of reconciliation, lifecycle, export_reconciliation, schema_cache, resource_monitor.',
        details: {
          field: 'job_name',
          errors: [
            {
              field: 'job_name',
              message:
                'must be one of reconciliation, lifecycle, export_reconciliation, schema_cache, resource_monitor',
            },
          ],
        },
      },
    },
  ],
};
