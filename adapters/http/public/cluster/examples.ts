import { type ExampleRequests } from '../../kit';

export const clusterExamples: ExampleRequests = {
  getClusterHealth: [{ summary: 'Everything answers', as: 'olivia', status: 200 }],
  getClusterInstances: [{ summary: 'Whose instances there are', as: 'olivia', status: 200 }],
};
