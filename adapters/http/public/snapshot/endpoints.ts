import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, ExportJobListView } from '../../../../queries/views/export-job';
import { SnapshotDetailView } from '../../../../queries/views/snapshot';
import { data, endpoint, flat, IdParams, list } from '../../kit';
import { asOfField } from '../as-of/as-of-field';
import { listFields } from '../codecs';

/** Sort columns of lists of export jobs. */
export const JOB_ORDERS = ['created_at', 'entity_name', 'status', 'completed_at', 'row_count', 'size_bytes'] as const;

export const snapshotEndpoints = {
  getSnapshot: endpoint('GET /snapshots/{id}', {
    summary: 'Get a snapshot, for debugging; POST /instances creates snapshots',
    access: 'user',
    resource: 'snapshot',
    params: IdParams,
    query: fields(asOfField),
    success: data(SnapshotDetailView),
  }),
  listExportJobs: endpoint('GET /export-jobs', {
    summary: 'List export jobs, newest first; analysts see those of their own snapshots',
    access: 'user',
    query: fields({ ...listFields(...JOB_ORDERS), status: optional(ExportJobFilter) }),
    success: list(ExportJobListView),
  }),
  countPendingExportJobs: endpoint('GET /export-jobs/pending-count', {
    summary: 'Number of export jobs that wait for a worker, for autoscalers',
    access: 'anybody',
    success: flat(t.strict({ pendingCount: t.number })),
  }),
};
