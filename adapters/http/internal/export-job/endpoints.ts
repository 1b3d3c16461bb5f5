import * as t from 'io-ts';
import { fields, integer, nullable, optional, ResourceId, text } from '../../../../domain/kernel/codecs';
import { ExportJobStatus, WorkerJob } from '../../../../queries/views/export-job';
import { data, endpoint, IdParams, QueryIds, queryInteger, Timestamp } from '../../kit';

const shortText = text({ min: 1, max: 1000 });

/** What a worker reports of a job. */
export const JobUpdate = fields({
  attempt: optional(integer(0)),
  status: optional(t.keyof({ submitted: null, running: null, completed: null, failed: null })),
  queryengine_query_id: optional(nullable(shortText)),
  next_uri: optional(nullable(text({ min: 1, max: 4000 }))),
  next_poll_at: optional(Timestamp),
  poll_count: optional(integer(0, 1_000_000)),
  submitted_at: optional(Timestamp),
  row_count: optional(nullable(integer(0))),
  size_bytes: optional(nullable(integer(0))),
  completed_at: optional(Timestamp),
  error_message: optional(nullable(text({ min: 0, max: 20_000 }))),
});
export type JobUpdate = t.TypeOf<typeof JobUpdate>;

export const exportJobEndpoints = {
  claimExportJobs: endpoint({
    method: 'POST',
    path: '/export-jobs/claim',
    summary: 'Take pending export jobs; each goes to one worker only',
    access: 'worker',
    body: fields({
      worker_id: text({ min: 1, max: 255, notBlank: true }),
      limit: optional(integer(1, 100)),
      // Ids of the jobs the worker has. Others it has claimed are handed out again: it never got the answer.
      working_on: optional(t.readonlyArray(ResourceId)),
    }),
    success: data(t.strict({ claimed: t.number, jobs: t.readonlyArray(WorkerJob) })),
  }),
  listPollableExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs/pollable',
    summary: 'Submitted jobs whose next poll is due',
    access: 'worker',
    query: fields({ limit: optional(queryInteger(1, 100)) }),
    success: data(t.strict({ jobs: t.readonlyArray(WorkerJob) })),
  }),
  listExportJobStatuses: endpoint({
    method: 'GET',
    path: '/export-jobs',
    summary: 'State of export jobs; jobs deleted with their snapshot are left out',
    access: 'worker',
    query: fields({ ids: QueryIds }),
    success: data(t.strict({ jobs: t.readonlyArray(ExportJobStatus) })),
  }),
  updateExportJob: endpoint({
    method: 'PATCH',
    path: '/export-jobs/{id}',
    summary: 'Report the progress of an export job',
    access: 'worker',
    resource: 'export job',
    params: IdParams,
    body: JobUpdate,
    success: data(
      t.strict({
        id: t.number,
        snapshot_id: t.number,
        status: t.string,
        row_count: nullable(t.number),
        size_bytes: nullable(t.number),
        completed_at: nullable(t.string),
      }),
    ),
    errors: ['INVALID_STATE_TRANSITION'],
  }),
};
