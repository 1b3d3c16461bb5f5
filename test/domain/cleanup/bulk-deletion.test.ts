import {
  bulkDeletion,
  type BulkDeletionCommand,
  type BulkDeletionEvent,
  checkBulkFilters,
} from '../../../domain/cleanup';
import { given } from '../../support/given-when-then';

const filters = { namePrefix: 'old-', createdBy: null, olderThanHours: null, status: null };
const decision = {
  deletionId: 'd1',
  resourceType: 'instance',
  filters,
  reason: 'not needed any more',
  dryRun: false,
  matchedIds: [3, 5],
} as const;
const decide: BulkDeletionCommand = { type: 'DecideBulkDeletion', ...decision, matchedCount: 2, expectedCount: null };
const decided: BulkDeletionEvent = { type: 'BulkDeletionDecided', data: decision };
const outcome = {
  deletionId: 'd1',
  deletedIds: [3],
  failures: [{ resourceId: 5, code: 'RESOURCE_NOT_FOUND', message: 'There is no instance 5.' }],
};

describe('a bulk deletion', () => {
  it('is decided once, with everything that matched', () => {
    given(bulkDeletion).when(decide).happens(decided);
    given(bulkDeletion, decided).when(decide).changesNothing();
  });

  it('is rejected when more or fewer match than expected', () => {
    for (const expectedCount of [1, 3, 0]) {
      given(bulkDeletion)
        .when({ ...decide, expectedCount })
        .isRefused('VALIDATION_ERROR', { expected_count: expectedCount, actual_count: 2 });
    }
    given(bulkDeletion)
      .when({ ...decide, expectedCount: 2 })
      .happens(decided);
  });

  it('includes at most a hundred resources', () => {
    given(bulkDeletion)
      .when({ ...decide, matchedCount: 100 })
      .happens(decided);
    given(bulkDeletion)
      .when({ ...decide, matchedCount: 101 })
      .isRefused('VALIDATION_ERROR', { matched_count: 101, max_allowed: 100 });
  });

  it('ends once, with the deleted and the failed resources', () => {
    const complete: BulkDeletionCommand = { type: 'CompleteBulkDeletion', ...outcome };
    const completed: BulkDeletionEvent = { type: 'BulkDeletionCompleted', data: outcome };
    given(bulkDeletion, decided).when(complete).happens(completed);
    given(bulkDeletion, decided, completed).when(complete).changesNothing();
    expect(given(bulkDeletion, decided, completed).state()).toEqual({ decision, outcome });
  });
});

describe('the filters of a bulk deletion', () => {
  const none = { namePrefix: null, createdBy: null, olderThanHours: null, status: null };

  it('must not be empty, and zero hours is a filter', () => {
    expect(checkBulkFilters('mapping', none)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { available_filters: ['name_prefix', 'created_by', 'older_than_hours'] },
    });
    expect(checkBulkFilters('instance', none)?.details).toMatchObject({
      available_filters: ['name_prefix', 'created_by', 'older_than_hours', 'status'],
    });
    expect(checkBulkFilters('mapping', { ...none, olderThanHours: 0 })).toBeNull();
  });

  it.each([
    ['instance', 'running', true],
    ['instance', 'ready', false],
    ['snapshot', 'ready', true],
    ['snapshot', 'stopping', false],
    ['mapping', 'ready', false],
  ] as const)('are allowed for a %s as %s: %s', (resource, status, isPossible) => {
    const wrong = checkBulkFilters(resource, { ...none, status });
    if (isPossible) expect(wrong).toBeNull();
    else expect(wrong).toMatchObject({ code: 'VALIDATION_ERROR', details: { field: 'filters.status' } });
  });
});
