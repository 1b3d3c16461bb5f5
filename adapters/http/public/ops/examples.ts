import { type ExampleRequests } from '../../kit';

const FAVORITES = 'favorites-carl';
const PARKED = { reader: 'favorites', stream_id: FAVORITES };

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
  listParkedEvents: [
    { summary: 'An event the favorites could not apply', as: 'olivia', query: { reader: 'favorites' }, status: 200 },
  ],
  retryParkedEvents: [
    {
      summary: 'It cannot be applied yet',
      as: 'olivia',
      body: { ...PARKED, reason: 'the handler is repaired' },
      status: 200,
    },
    {
      summary: 'Nothing of the stream is parked',
      as: 'olivia',
      body: { ...PARKED, stream_id: 'favorites-ada', reason: 'to be sure' },
      status: 404,
    },
  ],
  skipParkedEvent: [
    {
      summary: 'Only the first parked event of a stream can be skipped',
      as: 'olivia',
      body: { ...PARKED, position: '1', reason: 'applied already' },
      status: 409,
    },
    {
      summary: 'Give it up',
      as: 'olivia',
      body: { ...PARKED, position: '61', reason: 'applied already' },
      status: 200,
    },
  ],
  getLifecycleConfig: [
    { summary: 'The default', as: 'olivia', status: 200 },
    { summary: 'For ops only', as: 'anna', status: 403 },
  ],
  setLifecycleConfig: [
    {
      summary: 'Instances live two days unless asked otherwise',
      as: 'olivia',
      body: { instance: { default_ttl: 'P2D', default_inactivity: 'PT8H' } },
      status: 200,
    },
  ],
  getConcurrencyConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setConcurrencyConfig: [
    { summary: 'A larger cluster', as: 'olivia', body: { per_analyst: 5, cluster_total: 60 }, status: 200 },
    {
      summary: 'The limit per analyst exceeds the total',
      as: 'olivia',
      body: { per_analyst: 60, cluster_total: 50 },
      status: 400,
    },
  ],
  getMaintenanceConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setMaintenanceConfig: [
    { summary: 'The upgrade is over', as: 'olivia', body: { enabled: false, message: '' }, status: 200 },
  ],
  getExportConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setExportConfig: [{ summary: 'Two hours', as: 'olivia', body: { max_duration_seconds: 7200 }, status: 200 }],
  deleteInBulk: [
    {
      summary: 'Which instances would be deleted',
      as: 'anna',
      body: {
        resource_type: 'instance',
        filters: { name_prefix: 'Graph ', created_by: 'carl' },
        reason: 'carl has left',
        dry_run: true,
      },
      status: 200,
    },
    {
      summary: 'Not as many as expected',
      as: 'anna',
      body: { resource_type: 'instance', filters: { created_by: 'carl' }, reason: 'carl has left', expected_count: 3 },
      status: 400,
    },
    {
      summary: 'Unknown kind of resource',
      as: 'anna',
      body: { resource_type: 'user', filters: { created_by: 'carl' }, reason: 'carl has left' },
      status: 422,
    },
  ],
  cleanUpAfterTests: [{ summary: 'Nothing of the test users is left', as: 'anna', status: 200 }],
};
