import * as t from 'io-ts';
import { fields, integer, nullable, oneOf, optional, text } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, WorkerJob } from '../../../../queries/views/export-job';
import { created, data, endpoint, IdParams, Timestamp } from '../../kit';

const count = integer(0);
const counts = t.record(t.string, count);
const shortText = text({ min: 1, max: 1000 });

/** The progress of a snapshot's export. */
export const ExportReport = fields({
  status: oneOf('creating', 'ready', 'failed'),
  phase: optional(nullable(text({ min: 1, max: 100 }))),
  progress: optional(
    nullable(fields({ current_step: optional(nullable(shortText)), completed_steps: count, total_steps: count })),
  ),
  size_bytes: optional(count),
  node_counts: optional(counts),
  edge_counts: optional(counts),
  error_message: optional(nullable(text({ min: 0, max: 20_000 }))),
  failed_step: optional(nullable(shortText)),
  partial_results: optional(nullable(fields({ node_counts: optional(counts), edge_counts: optional(counts) }))),
});
export type ExportReport = t.TypeOf<typeof ExportReport>;

/** A job that an external submitter submitted. */
export const SubmittedJob = fields({
  job_type: oneOf('node', 'edge'),
  entity_name: text({ min: 1, max: 64 }),
  queryengine_query_id: shortText,
  next_uri: text({ min: 1, max: 4000 }),
  storage_path: text({ min: 1, max: 4000 }),
  status: optional(oneOf('pending', 'submitted', 'running')),
  submitted_at: optional(Timestamp),
});
export type SubmittedJob = t.TypeOf<typeof SubmittedJob>;

const ofSnapshot = { access: 'worker', resource: 'snapshot', params: IdParams } as const;

export const snapshotEndpoints = {
  reportSnapshotStatus: endpoint('PUT /snapshots/{id}/status', {
    ...ofSnapshot,
    summary: 'Report the export progress of a snapshot',
    body: ExportReport,
    success: data(t.strict({ updated: t.literal(true) })),
    errors: ['INVALID_STATE_TRANSITION'],
  }),
  submitExportJobs: endpoint('POST /snapshots/{id}/export-jobs', {
    ...ofSnapshot,
    summary: 'Create the export jobs of a snapshot for an external submitter, one per definition',
    body: fields({ jobs: t.readonlyArray(SubmittedJob) }),
    success: created(
      t.strict({
        created: t.number,
        jobs: t.readonlyArray(t.strict({ id: t.number, entity_name: t.string, status: t.string })),
      }),
    ),
    errors: ['MAPPING_VERSION_NOT_FOUND', 'JOBS_ALREADY_EXIST', 'INVALID_STATE_TRANSITION'],
  }),
  listSnapshotExportJobs: endpoint('GET /snapshots/{id}/export-jobs', {
    ...ofSnapshot,
    summary: 'The export jobs of a snapshot',
    query: fields({ status: optional(ExportJobFilter) }),
    success: data(t.strict({ jobs: t.readonlyArray(WorkerJob) })),
  }),
};
