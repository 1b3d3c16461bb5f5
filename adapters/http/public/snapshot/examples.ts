import { type ExampleRequests } from '../../kit';

export const snapshotExamples: ExampleRequests = {
  getSnapshot: [
    { summary: 'A snapshot that is ready', as: 'ada', params: { id: 1 }, status: 200 },
    { summary: 'Unknown snapshot', as: 'ada', params: { id: 404 }, status: 404 },
  ],
};
