import { type OperationExamples } from '../../kit';

export const instanceChangeExamples: OperationExamples = {
  getUserInstanceStatus: [
    {
      summary: 'What you have and may still have',
      as: 'ada',
      status: 200,
      answer: {
        username: 'ada',
        active_instances: 2,
        instance_limit: 5,
        instances_available: 3,
        instances: [
          { id: 2, name: 'Second graph', status: 'waiting_for_snapshot', created_at: '2026-11-21T18:46:31.391Z' },
          { id: 1, name: 'Town graph', status: 'running', created_at: '2026-11-21T18:46:29.811Z' },
        ],
      },
    },
  ],
  updateInstance: [
    {
      summary: 'A new name',
      as: 'ada',
      params: { id: 1 },
      body: { name: 'Graph of the town', description: 'For the yearly report' },
      status: 200,
      answer: {
        id: 1,
        name: 'Graph of the town',
        description: 'For the yearly report',
        updated_at: '2026-11-21T18:46:35.528Z',
      },
    },
  ],
  updateInstanceLifecycle: [
    {
      summary: 'Three days, and twelve hours without a query',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P3D', inactivity_timeout: 'PT12H' },
      status: 200,
      answer: { id: 1, ttl: 'P3D', inactivity_timeout: 'PT12H', updated_at: '2026-11-21T18:46:35.612Z' },
    },
    {
      summary: 'Inactivity beyond the life span',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'PT1H', inactivity_timeout: 'PT2H' },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'inactivity_timeout must be at most the ttl, PT1H.',
        details: {
          field: 'inactivity_timeout',
          errors: [{ field: 'inactivity_timeout', message: 'must be at most the ttl, PT1H' }],
          requested: 'PT2H',
          max_allowed: 'PT1H',
        },
      },
    },
  ],
  updateInstanceCpu: [
    {
      summary: 'Six cores',
      as: 'ada',
      params: { id: 1 },
      body: { cpu_cores: 6 },
      status: 200,
      answer: { id: 1, cpu_cores: 6, updated_at: '2026-11-21T18:46:35.712Z' },
    },
    {
      summary: 'It does not run yet',
      as: 'carl',
      params: { id: 3 },
      body: { cpu_cores: 4 },
      status: 409,
      answer: {
        code: 'INVALID_STATE',
        message: 'Instance 3 is waiting_for_snapshot; its size can be changed while it is running.',
        details: { current_status: 'waiting_for_snapshot' },
      },
    },
  ],
  updateInstanceMemory: [
    {
      summary: 'Sixteen gibibytes',
      as: 'ada',
      params: { id: 1 },
      body: { memory_gb: 16 },
      status: 200,
      answer: { id: 1, memory_gb: 16, updated_at: '2026-11-21T18:46:35.809Z' },
    },
    {
      summary: 'Memory is never taken away',
      as: 'ada',
      params: { id: 1 },
      body: { memory_gb: 2 },
      status: 409,
      answer: {
        code: 'INVALID_STATE',
        message: 'Instance 1 has 16 GiB of memory, and memory only grows; ask for more, or create a smaller instance.',
        details: { current_status: 'running', current_memory_gb: 16 },
      },
    },
  ],
  listInstanceEvents: [
    {
      summary: 'It got more cores',
      as: 'bob',
      params: { id: 1 },
      status: 200,
      answer: [
        {
          id: 3,
          event_type: 'cpu_updated',
          details: { old_cpu_cores: 2, new_cpu_cores: 4 },
          created_at: '2026-11-21T18:46:31.259Z',
        },
      ],
      page: { total: 1, offset: 0, limit: 50 },
    },
  ],
};
