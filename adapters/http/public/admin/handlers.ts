import { isLeft, left, right } from 'fp-ts/Either';
import { cleanUpAfterTests } from '../../../../commands/cleanup/clean-up-after-tests';
import { deleteInBulk } from '../../../../commands/cleanup/delete-in-bulk';
import { checkBulkFilters, type CleanupResult, MAX_BULK_DELETION } from '../../../../domain/cleanup';
import { domainError } from '../../../../domain/kernel/errors';
import { findBulkMatches, listOwned } from '../../../../queries/bulk-matches';
import { untilInstanceIsGone } from '../instance/until-instance-is-gone';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { type adminEndpoints } from './endpoints';

export const adminHandlers = (deps: PublicDependencies): PublicHandlers<typeof adminEndpoints> => {
  const { db, ports, cleanup, podRuntime } = deps;
  const deletion = { ...ports, untilInstanceIsGone: untilInstanceIsGone(deps) };
  return {
    deleteInBulk: async ({ body, identity }) => {
      const { resource_type: resourceType, reason } = body;
      const filters = {
        namePrefix: body.filters?.name_prefix ?? null,
        createdBy: body.filters?.created_by ?? null,
        olderThanHours: body.filters?.older_than_hours ?? null,
        status: body.filters?.status ?? null,
      };
      const wrong = checkBulkFilters(resourceType, filters);
      if (wrong !== null) return left(wrong);
      const { matchedCount, matches } = await findBulkMatches(
        db,
        resourceType,
        filters,
        ports.clock.now(),
        MAX_BULK_DELETION + 1,
      );
      const dryRun = body.dry_run ?? false;
      const expectedCount = body.expected_count ?? null;
      const done = await deleteInBulk(
        deletion,
        { resourceType, filters, reason, dryRun, expectedCount, matchedCount, matchedIds: matches.map(({ id }) => id) },
        identity.context,
      );
      if (isLeft(done)) return done;
      const { state, position } = done.right;
      if (state === null) return left(domainError('INTERNAL_ERROR', 'The bulk deletion has no decision.'));
      const { matchedIds } = state.decision;
      const { deletedIds = [], failures = [] } = state.outcome ?? {};
      return right({
        position,
        body: {
          dry_run: state.decision.dryRun,
          matched_count: matchedIds.length,
          matched_ids: matchedIds,
          ...(state.decision.dryRun && { matches }),
          deleted_count: deletedIds.length,
          deleted_ids: deletedIds,
          failed_ids: failures.map(({ resourceId }) => resourceId),
          errors: failures.map(({ resourceId, message }) => ({ resource_id: resourceId, error: message })),
        },
      });
    },

    cleanUpAfterTests: async ({ identity }) => {
      if (cleanup.testUsers.length === 0) return right({ body: cleanupView(NO_TEST_USERS) });
      const done = await cleanUpAfterTests(
        { ...deletion, ...cleanup, podRuntime, findOwned: (resource, usernames) => listOwned(db, resource, usernames) },
        cleanup.testUsers,
        identity.context,
      );
      if (isLeft(done)) return done;
      const { result, position } = done.right;
      return right({ position, body: cleanupView(result) });
    },
  };
};

const NO_TEST_USERS: CleanupResult = {
  instanceIds: [],
  snapshotIds: [],
  mappingIds: [],
  podNames: [],
  filesDeleted: 0,
  bytesDeleted: 0,
  errors: ['There are no end-to-end test users: name them in ROWGRAPH_E2E_TEST_USERS. Nothing was deleted.'],
};

const cleanupView = (result: CleanupResult) => ({
  instances_deleted: result.instanceIds.length,
  snapshots_deleted: result.snapshotIds.length,
  mappings_deleted: result.mappingIds.length,
  pods_terminated: result.podNames.length,
  gcs_files_deleted: result.filesDeleted,
  gcs_bytes_deleted: result.bytesDeleted,
  errors: result.errors,
  success: result.errors.length === 0,
});
