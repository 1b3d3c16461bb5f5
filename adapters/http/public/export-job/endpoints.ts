import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, ExportJobListView } from '../../../../queries/views/export-job';
import { endpoint, flat, list, pageFields } from '../../kit';

export const exportJobEndpoints = {
  listExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs',
    summary: 'List export jobs, newest first; analysts see those of their own snapshots',
    access: 'user',
    query: fields({ ...pageFields, status: optional(ExportJobFilter) }),
    success: list(ExportJobListView),
  }),
  countPendingExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs/pending-count',
    summary: 'How many export jobs wait for a worker, for autoscalers',
    access: 'anybody',
    success: flat(t.strict({ pendingCount: t.number })),
  }),
};
