import * as t from 'io-ts';
import { type QueryEngineError } from '../../domain/ports/query-engine';

/** An export job as the internal API hands it out: the rows of one definition. */
export const WorkerJob = t.strict({
  id: t.number,
  job_type: t.keyof({ node: null, edge: null }),
  entity_name: t.string,
  sql: t.string,
  column_names: t.readonlyArray(t.string),
  queryengine_catalog: t.union([t.string, t.null]),
  /** Object-store address of the definition's folder, ends in `/`. */
  storage_path: t.string,
  /** Which claim of the job this is, from 1: an older one is refused. */
  attempt: t.number,
  queryengine_query_id: t.union([t.string, t.null]),
  /** Address of the running export, null before it has been submitted. */
  next_uri: t.union([t.string, t.null]),
  /** Polls already reported. */
  poll_count: t.number,
});
export type WorkerJob = t.TypeOf<typeof WorkerJob>;

/** What has become of a job, as far as the read models have got. */
export const JobStatus = t.strict({ id: t.number, status: t.string, attempt: t.number });
export type JobStatus = t.TypeOf<typeof JobStatus>;

/** The folder of this attempt's files; it becomes valid with its manifest. */
export const attemptFolder = (job: WorkerJob): string => `${job.storage_path}attempt-${job.attempt}/`;

const MAX_MESSAGE_LENGTH = 4000;

/** A failure in words, beginning with the definition it concerns. */
export const failureMessage = (job: WorkerJob, reason: string): string =>
  Array.from(`${job.job_type} ${job.entity_name}: ${reason}`).slice(0, MAX_MESSAGE_LENGTH).join('');

/** An engine's error in words. */
export const engineReason = (error: QueryEngineError): string =>
  error.kind === 'invalid_sql' && error.position !== null
    ? `${error.message} (line ${error.position.line}, column ${error.position.column})`
    : error.message;
