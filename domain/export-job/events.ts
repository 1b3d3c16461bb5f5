import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';
import { withRecordedKey } from './recorded-key';

export const JobType = t.keyof({ node: null, edge: null });
export type JobType = t.TypeOf<typeof JobType>;

const ofJob = { jobId: t.number, snapshotId: t.number };
const nullableText = t.union([t.string, t.null]);
const ofPoll = { ...ofJob, queryId: nullableText, nextUri: nullableText, nextPollAt: t.string, pollCount: t.number };

/** Older events show by the address alone that the query runs inside a worker. */
const isOfDuckdb = (data: unknown): boolean =>
  t.type({ nextUri: t.string }).is(data) && data.nextUri.startsWith('duckdb:');

export const exportJobEvents = {
  /** One definition of a snapshot waits for a worker. */
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
      /** Folder the files belong into, ends in `/`: below the root of the object store, or as a submitter sent it. */
      storagePath: t.string,
    }),
    upcasts: {
      1: withRecordedKey,
      2: (data: unknown) => Object.assign({ instanceId: null, ownerUsername: null, mappingOwner: null }, data),
    },
  },
  /** A worker took the job. `attempt` counts from 1 and fences off earlier claims. */
  ExportJobClaimed: eventSpec(t.strict({ ...ofJob, workerId: t.string, attempt: t.number, leaseUntil: t.string })),
  /** The query engine works on it; any worker may poll. */
  ExportJobSubmitted: {
    schemaVersion: 3,
    /** `submittedAt` null: when it was recorded. `ownedByWorker`: only its worker can poll it. */
    codec: t.strict({ ...ofPoll, submittedAt: nullableText, ownedByWorker: t.boolean }),
    upcasts: {
      1: (data: unknown) => Object.assign({ submittedAt: null }, data),
      2: (data: unknown) => Object.assign({ ownedByWorker: isOfDuckdb(data) }, data),
    },
  },
  /** It is still running; the next poll is due later. */
  ExportJobRescheduled: {
    schemaVersion: 2,
    /** `queryId` null: the same as before. */
    codec: t.strict(ofPoll),
    upcasts: { 1: (data: unknown) => Object.assign({ queryId: null }, data) },
  },
  /** The claim lapsed without a result; the job waits again. */
  ExportJobLeaseExpired: eventSpec(t.strict({ ...ofJob, attempt: t.number, workerId: t.string, reason: t.string })),
  /** Its worker stops and gave it back before there was a result, `returned` times by now; that costs no attempt. */
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
