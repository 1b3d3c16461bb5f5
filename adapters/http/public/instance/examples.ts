import { type ExampleRequests } from '../../kit';

export const instanceExamples: ExampleRequests = {
  listInstances: [
    {
      summary: 'The running instances, largest first',
      as: 'bob',
      query: { status: 'running', sort_by: 'memory_usage_bytes', limit: 10 },
      status: 200,
    },
  ],
  createInstance: [
    {
      summary: 'A graph of the current version for a day',
      as: 'bob',
      body: {
        mapping_id: 1,
        name: 'Town graph',
        description: 'For the report',
        wrapper_type: 'graphdb_a',
        ttl: 'PT24H',
        inactivity_timeout: 'PT4H',
        cpu_cores: 2,
      },
      status: 201,
    },
    {
      summary: 'For yourself and a colleague',
      as: 'bob',
      body: { mapping_id: 1, name: 'Ours', wrapper_type: 'graphdb_a', access: { mode: 'users', users: ['ada'] } },
      status: 201,
    },
    {
      summary: 'Several fields are not valid',
      as: 'bob',
      body: { mapping_id: '1', wrapper_type: 'neo4j', name: 'Town graph' },
      status: 400,
    },
    {
      summary: 'Unknown mapping',
      as: 'bob',
      body: { mapping_id: 404, name: 'Town graph', wrapper_type: 'graphdb_a' },
      status: 404,
    },
    {
      summary: 'Five instances are all an analyst may have',
      as: 'carl',
      body: { mapping_id: 1, name: 'A sixth graph', wrapper_type: 'graphdb_a' },
      status: 409,
    },
  ],
  getInstance: [
    { summary: 'An instance that runs', as: 'bob', params: { id: 1 }, status: 200 },
    { summary: 'Unknown instance', as: 'bob', params: { id: 404 }, status: 404 },
  ],
  getInstanceProgress: [
    { summary: 'The first jobs wait for a worker', as: 'ada', params: { id: 2 }, status: 200 },
    { summary: 'It runs', as: 'ada', params: { id: 1 }, status: 200 },
  ],
  deleteInstance: [
    { summary: 'Ends it, whatever it is doing', as: 'ada', params: { id: 2 }, status: 204 },
    { summary: 'The instance belongs to another user', as: 'bob', params: { id: 1 }, status: 403 },
  ],
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
  issueAccessToken: [
    {
      summary: 'For a notebook, for the working day',
      as: 'bob',
      params: { id: 1 },
      body: { expires_in: 'PT8H' },
      status: 201,
    },
    { summary: 'A week is too long', as: 'bob', params: { id: 1 }, body: { expires_in: 'P7D' }, status: 400 },
  ],
  listAccessTokens: [{ summary: 'All of the own instance', as: 'ada', params: { id: 1 }, status: 200 }],
  revokeAccessToken: [
    {
      summary: 'The owner revokes it',
      as: 'ada',
      params: { id: 1, token_id: '5f0c2b7e9a1d4c6f8e3b0a93' },
      status: 200,
    },
  ],
};
