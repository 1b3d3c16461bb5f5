import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

/** `<owner>/<mapping>/v<version>/<snapshot>/`, and within it the folder of one definition: the layout of exports. */
const LAYOUT = /^.+\/([^/]+\/\d+\/v\d+\/\d+\/(?:(?:node|edge)s\/[^/]+\/)?)$/;

/**
 * The key of a folder that an earlier version recorded by its full address; the paths in the store have not changed
 * below the root. A folder with another layout, from an external submitter, is returned as it was sent.
 */
export const recordedKey = (recorded: string): string => LAYOUT.exec(recorded)?.[1] ?? recorded;

/** Upcasts the `storagePath` of an event. */
export const withRecordedKey = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'storagePath' in data && typeof data.storagePath === 'string'
    ? { ...data, storagePath: recordedKey(data.storagePath) }
    : data;

export const JobType = t.keyof({ node: null, edge: null });
export type JobType = t.TypeOf<typeof JobType>;

const ofJob = { jobId: t.number, snapshotId: t.number };
const nullableText = t.union([t.string, t.null]);
const ofPoll = { ...ofJob, queryId: nullableText, nextUri: nullableText, nextPollAt: t.string, pollCount: t.number };

/** In older events only the address shows that the query runs inside a worker. */
const isOfDuckdb = (data: unknown): boolean =>
  t.type({ nextUri: t.string }).is(data) && data.nextUri.startsWith('duckdb:');

export const exportJobEvents = {
  /** The export of one definition of a snapshot is pending. */
  ExportJobPlanned: {
    schemaVersion: 3,
    codec: t.strict({
      ...ofJob,
      /** Instance it is for, its owner, and the owner of the mapping; null in earlier events. */
      instanceId: t.union([t.number, t.null]),
      ownerUsername: nullableText,
      mappingOwner: nullableText,
      jobType: JobType,
      entityName: t.string,
      sql: t.string,
      columnNames: t.readonlyArray(t.string),
      catalog: nullableText,
      /** Folder for the files, ends in `/`: below the root of the object store, or as a submitter sent it. */
      storagePath: t.string,
    }),
    upcasts: {
      1: withRecordedKey,
      2: (data: unknown) => Object.assign({ instanceId: null, ownerUsername: null, mappingOwner: null }, data),
    },
  },
  /** A worker claimed the job. `attempt` counts from 1 and fences off earlier claims. */
  ExportJobClaimed: eventSpec(t.strict({ ...ofJob, workerId: t.string, attempt: t.number, leaseUntil: t.string })),
  /** The query was submitted to the query engine; any worker may poll it. */
  ExportJobSubmitted: {
    schemaVersion: 3,
    /** `submittedAt` null: when it was recorded. `ownedByWorker`: only its worker can poll it. */
    codec: t.strict({ ...ofPoll, submittedAt: nullableText, ownedByWorker: t.boolean }),
    upcasts: {
      1: (data: unknown) => Object.assign({ submittedAt: null }, data),
      2: (data: unknown) => Object.assign({ ownedByWorker: isOfDuckdb(data) }, data),
    },
  },
  /** A poll found the query still running. Earlier versions recorded each; polls are rows now. */
  ExportJobRescheduled: {
    schemaVersion: 2,
    /** `queryId` null: the same as before. */
    codec: t.strict(ofPoll),
    upcasts: { 1: (data: unknown) => Object.assign({ queryId: null }, data) },
  },
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
      /** `DATA_LOAD_ERROR`, `EXPORT_TIMEOUT` or `CANCELLED`. */
      errorCode: t.string,
      errorMessage: t.string,
    }),
  ),
};

export type ExportJobEvent = EventsOf<typeof exportJobEvents>;
