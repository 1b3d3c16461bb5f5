import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

export const JobType = oneOf('node', 'edge');
export type JobType = t.TypeOf<typeof JobType>;

const ofJob = { jobId: t.number, snapshotId: t.number };
const nullableText = t.union([t.string, t.null]);
const ofPoll = { ...ofJob, queryId: nullableText, nextUri: nullableText, nextPollAt: t.string, pollCount: t.number };

export const exportJobEvents = {
  /** The export of one definition of a snapshot is pending. */
  ExportJobPlanned: eventSpec(
    t.strict({
      ...ofJob,
      instanceId: t.number,
      ownerUsername: t.string,
      mappingOwner: t.string,
      jobType: JobType,
      entityName: t.string,
      sql: t.string,
      columnNames: t.readonlyArray(t.string),
      catalog: nullableText,
      /** Folder for the files, ends in `/`: below the root of the object store, or as a submitter sent it. */
      storagePath: t.string,
    }),
    3,
  ),
  /** A worker claimed the job. `attempt` counts from 1 and fences off earlier claims. */
  ExportJobClaimed: eventSpec(t.strict({ ...ofJob, workerId: t.string, attempt: t.number, leaseUntil: t.string })),
  /** The query was submitted to the query engine; any worker may poll it, unless it is `ownedByWorker`. */
  ExportJobSubmitted: eventSpec(t.strict({ ...ofPoll, submittedAt: t.string, ownedByWorker: t.boolean }), 3),
  /** A poll found the query still running. Earlier versions recorded each; polls are rows now. `queryId` null: the same. */
  ExportJobRescheduled: eventSpec(t.strict(ofPoll), 2),
  /** The claim expired without a result; the job is pending again. */
  ExportJobLeaseExpired: eventSpec(t.strict({ ...ofJob, attempt: t.number, workerId: t.string, reason: t.string })),
  /**
   * A stopping worker released the job without a result, for the `returned`-th time; a release does not count as an
   * attempt.
   */
  ExportJobReturned: eventSpec(t.strict({ ...ofJob, attempt: t.number, workerId: t.string, returned: t.number })),
  ExportJobCompleted: eventSpec(
    t.strict({ ...ofJob, rowCount: t.number, sizeBytes: t.number, attempt: t.number, completedAt: t.string }),
  ),
  ExportJobFailed: eventSpec(
    t.strict({
      ...ofJob,
      /** `DATA_LOAD_ERROR`, `STARTUP_FAILED` (a full disk), `EXPORT_TIMEOUT` or `CANCELLED`. */
      errorCode: t.string,
      errorMessage: t.string,
    }),
  ),
};

export type ExportJobEvent = EventsOf<typeof exportJobEvents>;
