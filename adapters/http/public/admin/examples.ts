import { type OperationExamples } from '../../kit';

export const adminExamples: OperationExamples = {
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
      answer: {
        dry_run: true,
        matched_count: 5,
        matched_ids: [3, 4, 5, 6, 7],
        deleted_count: 0,
        deleted_ids: [],
        failed_ids: [],
        errors: [],
      },
    },
    {
      summary: 'Not as many as expected',
      as: 'anna',
      body: { resource_type: 'instance', filters: { created_by: 'carl' }, reason: 'carl has left', expected_count: 3 },
      status: 400,
      answer: {
        code: 'VALIDATION_ERROR',
        message: '5 resources match, not 3. Look at them with dry_run. Nothing was deleted.',
        details: { expected_count: 3, actual_count: 5 },
      },
    },
    {
      summary: 'There is no such kind of resource',
      as: 'anna',
      body: { resource_type: 'user', filters: { created_by: 'carl' }, reason: 'carl has left' },
      status: 422,
      answer: {
        code: 'VALIDATION_ERROR',
        message: 'resource_type must be one of instance, snapshot, mapping.',
        details: {
          field: 'resource_type',
          errors: [{ field: 'resource_type', message: 'must be one of instance, snapshot, mapping' }],
        },
      },
    },
  ],
  cleanUpAfterTests: [
    {
      summary: 'Nothing of the test users is left',
      as: 'anna',
      status: 200,
      answer: {
        instances_deleted: 0,
        snapshots_deleted: 0,
        mappings_deleted: 0,
        pods_terminated: 0,
        gcs_files_deleted: 0,
        gcs_bytes_deleted: 0,
        errors: ['There are no end-to-end test users: name them in ROWGRAPH_E2E_TEST_USERS. Nothing was deleted.'],
        success: false,
      },
    },
  ],
};
