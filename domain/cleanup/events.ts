import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

/** Kinds of resources that can be deleted in bulk. */
export const BulkResource = oneOf('instance', 'snapshot', 'mapping');
export type BulkResource = t.TypeOf<typeof BulkResource>;

const optionalText = t.union([t.string, t.null]);

/** Filters are combined with AND; null: any value. */
export const BulkFilters = t.strict({
  namePrefix: optionalText,
  createdBy: optionalText,
  olderThanHours: t.union([t.number, t.null]),
  status: optionalText,
});
export type BulkFilters = t.TypeOf<typeof BulkFilters>;

const Ids = t.readonlyArray(t.number);
const ofDeletion = { deletionId: t.string };
const ofCleanup = { cleanupId: t.string };

export const bulkDeletionEvents = {
  /**
   * An admin selected resources for deletion, with a reason; `dryRun`: the matches were listed and not deleted. The
   * resources' own events follow.
   */
  BulkDeletionDecided: eventSpec(
    t.strict({
      ...ofDeletion,
      resourceType: BulkResource,
      filters: BulkFilters,
      reason: t.string,
      dryRun: t.boolean,
      matchedIds: Ids,
    }),
  ),
  /** The outcome. Missing after a crash; the events of the resources then show what was deleted. */
  BulkDeletionCompleted: eventSpec(
    t.strict({
      ...ofDeletion,
      deletedIds: Ids,
      failures: t.readonlyArray(t.strict({ resourceId: t.number, code: t.string, message: t.string })),
    }),
  ),
};
export type BulkDeletionEvent = EventsOf<typeof bulkDeletionEvents>;

const cleanupResult = {
  instanceIds: Ids,
  snapshotIds: Ids,
  mappingIds: Ids,
  podNames: t.readonlyArray(t.string),
  filesDeleted: t.number,
  bytesDeleted: t.number,
  errors: t.readonlyArray(t.string),
};
/** What a cleanup removed, and what it could not remove and why. */
export const CleanupResult = t.strict(cleanupResult);
export type CleanupResult = t.TypeOf<typeof CleanupResult>;

export const testCleanupEvents = {
  /** The deletion of all resources of these test users has begun. */
  TestCleanupStarted: eventSpec(t.strict({ ...ofCleanup, usernames: t.readonlyArray(t.string) })),
  TestCleanupCompleted: eventSpec(t.strict({ ...ofCleanup, ...cleanupResult })),
};
export type TestCleanupEvent = EventsOf<typeof testCleanupEvents>;
