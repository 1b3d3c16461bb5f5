import * as t from 'io-ts';
import { fields, integer, nullable, optional, ResourceId, text } from '../../../../domain/kernel/codecs';
import { ExportJobStatus, WorkerJob } from '../../../../queries/views/export-job';
import { JobUpdate } from '../../../contracts/export-worker/job-update';
import { data, endpoint, IdParams, QueryIds, queryInteger } from '../../kit';

export const exportJobEndpoints = {
  claimExportJobs: endpoint('POST /export-jobs/claim', {
    summary: 'Claim pending export jobs; each is claimed by one worker',
    access: 'worker',
    body: fields({
      worker_id: text({ min: 1, max: 255, notBlank: true }),
      limit: optional(integer(1, 100)),
      // Ids of the jobs the worker has. Other jobs it has claimed are assigned again: the worker did not receive that
      // response.
      working_on: optional(t.readonlyArray(ResourceId)),
    }),
    success: data(t.strict({ claimed: t.number, jobs: t.readonlyArray(WorkerJob) })),
  }),
  listPollableExportJobs: endpoint('GET /export-jobs/pollable', {
    summary: 'Submitted jobs whose next poll is due',
    access: 'worker',
    query: fields({ limit: optional(queryInteger(1, 100)) }),
    success: data(t.strict({ jobs: t.readonlyArray(WorkerJob) })),
  }),
  listExportJobStatuses: endpoint('GET /export-jobs', {
    summary: 'State of export jobs; jobs deleted with their snapshot are omitted',
    access: 'worker',
    query: fields({ ids: QueryIds }),
    success: data(t.strict({ jobs: t.readonlyArray(ExportJobStatus) })),
  }),
  updateExportJob: endpoint('PATCH /export-jobs/{id}', {
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
