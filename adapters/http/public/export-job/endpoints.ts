import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, ExportJobListView } from '../../../../queries/views/export-job';
import { endpoint, flat, list } from '../../kit';
import { listFields } from '../codecs';

/** What lists of export jobs are sorted by. */
export const JOB_ORDERS = ['created_at', 'entity_name', 'status', 'completed_at', 'row_count', 'size_bytes'] as const;

export const exportJobEndpoints = {
  listExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs',
    summary: 'List export jobs, newest first; analysts see those of their own snapshots',
    access: 'user',
    query: fields({ ...listFields(...JOB_ORDERS), status: optional(ExportJobFilter) }),
    success: list(ExportJobListView),
  }),
  countPendingExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs/pending-count',
    summary: 'Number of export jobs that wait for a worker, for autoscalers',
    access: 'anybody',
    success: flat(t.strict({ pendingCount: t.number })),
  }),
};
