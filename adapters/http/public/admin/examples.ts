import { type ExampleRequests } from '../../kit';

export const adminExamples: ExampleRequests = {
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
