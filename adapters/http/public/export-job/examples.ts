import { type ExampleRequests } from '../../kit';

export const exportJobExamples: ExampleRequests = {
  listExportJobs: [
    { summary: 'The completed jobs of your snapshots', as: 'ada', query: { status: 'completed' }, status: 200 },
  ],
  countPendingExportJobs: [{ summary: 'For autoscalers, without envelope', as: null, status: 200 }],
};
