import * as t from 'io-ts';
import { JobType } from '../../domain/export-job';
import { nullable, oneOf } from '../../domain/kernel/codecs';

/** The statuses to filter jobs by; `running` is a synonym of `submitted`. */
export const ExportJobFilter = oneOf('pending', 'claimed', 'submitted', 'running', 'completed', 'failed');

/** An export job for users who may see it. */
export const ExportJobSummary = t.strict({
  id: t.number,
  snapshot_id: t.number,
  entity_type: JobType,
  entity_name: t.string,
  status: oneOf('pending', 'claimed', 'submitted', 'completed', 'failed'),
  attempts: t.number,
  claimed_at: nullable(t.string),
  completed_at: nullable(t.string),
  failed_at: nullable(t.string),
  error_message: nullable(t.string),
  created_at: t.string,
});

/** An export job as its owner sees it. */
export const ExportJobListView = t.strict({
  ...ExportJobSummary.type.props,
  claimed_by: nullable(t.string),
  row_count: nullable(t.number),
  size_bytes: nullable(t.number),
});
export type ExportJobListView = t.TypeOf<typeof ExportJobListView>;

/** The status of an export job in the read models. */
export const ExportJobStatus = t.strict({ id: t.number, status: t.string, attempt: t.number });
export type ExportJobStatus = t.TypeOf<typeof ExportJobStatus>;

/** An export job in full, as a worker needs it: the rows of one definition. */
export const WorkerJob = t.strict({
  id: t.number,
  snapshot_id: t.number,
  /** Instance it is for, and the owner of that; null for jobs of earlier versions. */
  instance_id: nullable(t.number),
  owner_username: nullable(t.string),
  mapping_owner: nullable(t.string),
  job_type: JobType,
  entity_name: t.string,
  status: t.string,
  sql: t.string,
  column_names: t.readonlyArray(t.string),
  queryengine_catalog: nullable(t.string),
  /**
   * Folder of the definition, ends in `/`: below the root of the object store, or an address as a submitter sent it.
   */
  storage_path: t.string,
  /** Number of the claim, from 1: reports of older claims are rejected. */
  attempt: t.number,
  claimed_by: nullable(t.string),
  claimed_at: nullable(t.string),
  queryengine_query_id: nullable(t.string),
  /** Address of the running export, null before it has been submitted. */
  next_uri: nullable(t.string),
  next_poll_at: nullable(t.string),
  /** Number of reported polls. */
  poll_count: t.number,
  row_count: nullable(t.number),
  size_bytes: nullable(t.number),
  submitted_at: nullable(t.string),
  completed_at: nullable(t.string),
  error_message: nullable(t.string),
  /** Trace context of the event that planned the job; the worker continues the trace. */
  traceparent: nullable(t.string),
});
export type WorkerJob = t.TypeOf<typeof WorkerJob>;
