import * as t from 'io-ts';
import { DEFAULT_EXPORT_MAX_SECONDS } from '../config';
import { JobType } from '../export-job';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

const ofSnapshot = { snapshotId: t.number, instanceId: t.number };
const counts = t.record(t.string, t.number);

export const snapshotEvents = {
  /** The data of a mapping version is to be exported for an instance, one job per definition. */
  SnapshotRequested: {
    schemaVersion: 2,
    codec: t.strict({
      ...ofSnapshot,
      mappingId: t.number,
      mappingName: t.string,
      mappingVersion: t.number,
      ownerUsername: t.string,
      name: t.string,
      /** Folder of all its files, ends in `/`. */
      storagePath: t.string,
      ttl: t.union([t.string, t.null]),
      inactivityTimeout: t.string,
      /** Longest time a job may take from its claim. */
      exportMaxSeconds: t.number,
      jobs: t.readonlyArray(t.strict({ jobId: t.number, jobType: JobType, entityName: t.string })),
    }),
    upcasts: { 1: (data: unknown) => Object.assign({ exportMaxSeconds: DEFAULT_EXPORT_MAX_SECONDS }, data) },
  },
  /** A worker has begun. */
  SnapshotExportStarted: eventSpec(t.strict(ofSnapshot)),
  /** Every job is completed; the files are in place. */
  SnapshotReady: eventSpec(t.strict({ ...ofSnapshot, sizeBytes: t.number, nodeCounts: counts, edgeCounts: counts })),
  SnapshotFailed: eventSpec(
    t.strict({
      ...ofSnapshot,
      /** `DATA_LOAD_ERROR`, `EXPORT_TIMEOUT` or `CANCELLED`. */
      errorCode: t.string,
      errorMessage: t.string,
    }),
  ),
  /** The last event of a snapshot. Its files, all below `storagePath`, are removed next. */
  SnapshotDeleted: eventSpec(t.strict({ ...ofSnapshot, mappingId: t.number, storagePath: t.string, reason: t.string })),
};

export type SnapshotEvent = EventsOf<typeof snapshotEvents>;
