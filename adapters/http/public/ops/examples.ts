import { type ExampleRequests } from '../../kit';

export const opsExamples: ExampleRequests = {
  getOpsState: [{ summary: 'All resources by state', as: 'olivia', status: 200 }],
  listOpsExportJobs: [
    { summary: 'The completed jobs of all users', as: 'olivia', query: { status: 'completed', limit: 1 }, status: 200 },
    { summary: 'Unknown status', as: 'olivia', query: { status: 'done' }, status: 400 },
  ],
  listPodsToRun: [
    { summary: 'What a runner of pods has to run', as: 'olivia', query: { sort_order: 'asc' }, status: 200 },
    { summary: 'No other than ops get tokens of pods', as: 'anna', status: 403 },
  ],
  getJobsStatus: [{ summary: 'When each job ran, and when it runs', as: 'olivia', status: 200 }],
  triggerJob: [
    {
      summary: 'Look for expired resources now',
      as: 'olivia',
      body: { job_name: 'lifecycle', reason: 'Room is needed for the demo' },
      status: 200,
    },
    {
      summary: 'Twice within a minute',
      as: 'olivia',
      body: { job_name: 'lifecycle', reason: 'Still no room' },
      status: 429,
    },
    {
      summary: 'Unknown job',
      as: 'olivia',
      body: { job_name: 'tidy_up', reason: 'Room is needed for the demo' },
      status: 400,
    },
  ],
};
