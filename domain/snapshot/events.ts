import * as t from 'io-ts';
import { JobType } from '../export-job';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

export const SnapshotStatus = oneOf('pending', 'creating', 'ready', 'failed');
export type SnapshotStatus = t.TypeOf<typeof SnapshotStatus>;

const ofSnapshot = { snapshotId: t.number, instanceId: t.number };
const counts = t.record(t.string, t.number);

const SubmittedJob = t.strict({
  jobId: t.number,
  jobType: JobType,
  entityName: t.string,
  storagePath: t.string,
  /** Null: it waits for a worker. */
  query: t.union([t.strict({ queryId: t.string, nextUri: t.string, submittedAt: t.string }), t.null]),
});
export type SubmittedJob = t.TypeOf<typeof SubmittedJob>;

export const snapshotEvents = {
  /** The data of a mapping version is to be exported for an instance, one job per definition. */
  SnapshotRequested: eventSpec(
    t.strict({
      ...ofSnapshot,
      mappingId: t.number,
      mappingName: t.string,
      mappingVersion: t.number,
      ownerUsername: t.string,
      name: t.string,
      /** Folder of all its files below the root of the object store, ends in `/`. */
      storagePath: t.string,
      ttl: t.union([t.string, t.null]),
      inactivityTimeout: t.string,
      /** Maximum duration of a job from its claim. */
      exportMaxSeconds: t.number,
      /** Empty if an external submitter plans the jobs. */
      jobs: t.readonlyArray(t.strict({ jobId: t.number, jobType: JobType, entityName: t.string })),
    }),
    3,
  ),
  /** An external submitter has planned the jobs of the snapshot; this happens once. */
  SnapshotJobsSubmitted: eventSpec(t.strict({ ...ofSnapshot, jobs: t.readonlyArray(SubmittedJob) })),
  /** A worker has started the export. */
  SnapshotExportStarted: eventSpec(t.strict(ofSnapshot)),
  /** Every job is completed; the files are in place. */
  SnapshotReady: eventSpec(t.strict({ ...ofSnapshot, sizeBytes: t.number, nodeCounts: counts, edgeCounts: counts })),
  /** A worker reported a size of a ready snapshot that differs from the sum of its jobs. */
  SnapshotMeasured: eventSpec(t.strict({ ...ofSnapshot, sizeBytes: t.number, nodeCounts: counts, edgeCounts: counts })),
  SnapshotFailed: eventSpec(
    t.strict({
      ...ofSnapshot,
      /** `DATA_LOAD_ERROR`, `STARTUP_FAILED` (a full disk), `EXPORT_TIMEOUT` or `CANCELLED`. */
      errorCode: t.string,
      errorMessage: t.string,
      /** The step that failed, as a worker reports it. */
      failedStep: t.union([t.string, t.null]),
      /** Row counts of the definitions that were exported successfully. */
      nodeCounts: counts,
      edgeCounts: counts,
    }),
    2,
  ),
  /** The last event of a snapshot. Its files, all below `storagePath`, are removed afterwards. */
  SnapshotDeleted: eventSpec(
    t.strict({ ...ofSnapshot, mappingId: t.number, storagePath: t.string, reason: t.string }),
    2,
  ),
};

export type SnapshotEvent = EventsOf<typeof snapshotEvents>;
