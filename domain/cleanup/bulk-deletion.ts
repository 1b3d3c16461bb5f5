import { left } from 'fp-ts/Either';
import { LiveStatus } from '../instance';
import { counted } from '../kernel/counted';
import { accept, deciderOf } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { SnapshotStatus } from '../snapshot';
import {
  type BulkDeletionEvent,
  type BulkFilters,
  type BulkResource,
  type CleanupResult,
  type TestCleanupEvent,
} from './events';

type Data<T extends BulkDeletionEvent['type']> = Extract<BulkDeletionEvent, { type: T }>['data'];

export type BulkDeletionCommand =
  | (Data<'BulkDeletionDecided'> & {
      readonly type: 'DecideBulkDeletion';
      /** Number of matches; `matchedIds` may stop one id over the limit. */
      readonly matchedCount: number;
      /** Number of matches that the actor expects; null: any number. */
      readonly expectedCount: number | null;
    })
  | ({ readonly type: 'CompleteBulkDeletion' } & Data<'BulkDeletionCompleted'>);

export interface BulkDeletion {
  readonly decision: Data<'BulkDeletionDecided'>;
  readonly outcome: Data<'BulkDeletionCompleted'> | null;
}

export const MAX_BULK_DELETION = 100;

const STATUSES: Readonly<Record<BulkResource, readonly string[]>> = {
  instance: Object.keys(LiveStatus.keys),
  snapshot: Object.keys(SnapshotStatus.keys),
  mapping: [],
};

export const bulkDeletionStream = (deletionId: string): string => `bulk_deletion-${deletionId}`;

export const bulkDeletion = deciderOf<BulkDeletionCommand, BulkDeletionEvent, BulkDeletion | null>()({
  initial: null,

  decide: {
    DecideBulkDeletion: ({ type: _type, matchedCount, expectedCount, ...data }, state) => {
      if (state !== null) return accept([]);
      if (matchedCount > MAX_BULK_DELETION) {
        const message = `${matchedCount} resources match; the maximum is ${MAX_BULK_DELETION}. Use narrower filters.`;
        const details = { matched_count: matchedCount, max_allowed: MAX_BULK_DELETION };
        return left(domainError('VALIDATION_ERROR', message, details));
      }
      if (expectedCount !== null && expectedCount !== matchedCount) {
        const message = `The filters match ${counted(matchedCount, 'resource')}, expected ${expectedCount}. Nothing was deleted; check the matches with dry_run.`;
        const details = { expected_count: expectedCount, actual_count: matchedCount };
        return left(domainError('VALIDATION_ERROR', message, details));
      }
      return accept([{ type: 'BulkDeletionDecided', data }]);
    },

    CompleteBulkDeletion: ({ type, ...data }, state) => {
      if (state === null) return left(domainError('INTERNAL_ERROR', `${type} without a decision.`));
      return accept(state.outcome === null ? [{ type: 'BulkDeletionCompleted', data }] : []);
    },
  },

  evolve: (state, event) =>
    event.type === 'BulkDeletionDecided'
      ? { decision: event.data, outcome: null }
      : state && { ...state, outcome: event.data },
});

/** The error for the filters of a bulk deletion; null when they are valid. */
export const checkBulkFilters = (
  resourceType: BulkResource,
  filters: BulkFilters,
): DomainError<'VALIDATION_ERROR'> | null => {
  if (Object.values(filters).every((value) => value === null)) {
    const available = [
      'name_prefix',
      'created_by',
      'older_than_hours',
      ...(STATUSES[resourceType].length > 0 ? ['status'] : []),
    ];
    const message = `At least one filter is needed: ${available.join(', ')}.`;
    return domainError('VALIDATION_ERROR', message, { field: 'filters', available_filters: available });
  }
  const { status } = filters;
  const allowed = STATUSES[resourceType];
  if (status === null || allowed.includes(status)) return null;
  const message =
    allowed.length === 0 ? `A ${resourceType} has no status to filter by` : `must be one of ${allowed.join(', ')}`;
  const field = 'filters.status';
  return domainError('VALIDATION_ERROR', `${field}: ${message}.`, { field, errors: [{ field, message }] });
};

export type TestCleanupCommand =
  | { readonly type: 'StartTestCleanup'; readonly cleanupId: string; readonly usernames: readonly string[] }
  | ({ readonly type: 'CompleteTestCleanup'; readonly cleanupId: string } & CleanupResult);

export const testCleanupStream = (cleanupId: string): string => `test_cleanup-${cleanupId}`;

/** The record of a cleanup after end-to-end tests; its state is the result, null until the cleanup has ended. */
export const testCleanup = deciderOf<TestCleanupCommand, TestCleanupEvent, CleanupResult | null>()({
  initial: null,
  decide: {
    StartTestCleanup: ({ type: _type, ...data }, state) =>
      accept(state === null ? [{ type: 'TestCleanupStarted', data }] : []),
    CompleteTestCleanup: ({ type: _type, ...data }, state) =>
      accept(state === null ? [{ type: 'TestCleanupCompleted', data }] : []),
  },
  evolve: (state, event) => (event.type === 'TestCleanupCompleted' ? event.data : state),
});
