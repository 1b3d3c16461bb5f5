import { type ExampleRequests } from '../../kit';

export const instanceChangeExamples: ExampleRequests = {
  getUserInstanceStatus: [{ summary: 'What you have and may still have', as: 'ada', status: 200 }],
  updateInstance: [
    {
      summary: 'A new name',
      as: 'ada',
      params: { id: 1 },
      body: { name: 'Graph of the town', description: 'For the yearly report' },
      status: 200,
    },
  ],
  updateInstanceLifecycle: [
    {
      summary: 'Three days, and twelve hours without a query',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'P3D', inactivity_timeout: 'PT12H' },
      status: 200,
    },
    {
      summary: 'Inactivity beyond the life span',
      as: 'ada',
      params: { id: 1 },
      body: { ttl: 'PT1H', inactivity_timeout: 'PT2H' },
      status: 400,
    },
  ],
  updateInstanceCpu: [
    { summary: 'Six cores', as: 'ada', params: { id: 1 }, body: { cpu_cores: 6 }, status: 200 },
    { summary: 'It does not run yet', as: 'carl', params: { id: 3 }, body: { cpu_cores: 4 }, status: 409 },
  ],
  updateInstanceMemory: [
    { summary: 'Sixteen gibibytes', as: 'ada', params: { id: 1 }, body: { memory_gb: 16 }, status: 200 },
    { summary: 'Memory is never taken away', as: 'ada', params: { id: 1 }, body: { memory_gb: 2 }, status: 409 },
  ],
  updateInstanceAccess: [
    {
      summary: 'For two colleagues',
      as: 'ada',
      params: { id: 1 },
      body: { mode: 'users', users: ['bob', 'carl'] },
      status: 200,
    },
    {
      summary: 'For an unknown user',
      as: 'ada',
      params: { id: 1 },
      body: { mode: 'users', users: ['eve'] },
      status: 400,
    },
  ],
  listInstanceEvents: [{ summary: 'It got more cores', as: 'bob', params: { id: 1 }, status: 200 }],
};
