import { type ExampleRequests } from '../../kit';

export const mappingHistoryExamples: ExampleRequests = {
  listMappingVersions: [{ summary: 'The versions, newest first', as: 'ada', params: { id: 1 }, status: 200 }],
  getMappingVersion: [
    { summary: 'The first version', as: 'ada', params: { id: 1, v: 1 }, status: 200 },
    { summary: 'There is no such version', as: 'ada', params: { id: 1, v: 9 }, status: 404 },
  ],
  diffMappingVersions: [
    { summary: 'The second version added an edge', as: 'ada', params: { id: 1, v1: 1, v2: 2 }, status: 200 },
  ],
  getMappingTree: [
    {
      summary: 'What has become of each version',
      as: 'ada',
      params: { id: 1 },
      query: { include_instances: true, status: 'ready' },
      status: 200,
    },
  ],
  listMappingInstances: [
    { summary: 'Two of the instances of all versions', as: 'ada', params: { id: 1 }, query: { limit: 2 }, status: 200 },
  ],
  listMappingSnapshots: [
    { summary: 'The latest snapshot', as: 'ada', params: { id: 1 }, query: { limit: 1 }, status: 200 },
  ],
};
