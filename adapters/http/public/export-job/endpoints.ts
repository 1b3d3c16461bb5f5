import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { endpoint, pageFields } from '../../kit';
import { nullableNumber, nullableText } from '../codecs';

/** What a job can be asked for; `running` is another word for `submitted`. */
export const ExportJobFilter = t.keyof({
  pending: null,
  claimed: null,
  submitted: null,
  running: null,
  completed: null,
  failed: null,
});

/** What everybody who may see an export job sees of it. */
export const exportJobFields = {
  id: t.number,
  snapshot_id: t.number,
  entity_type: t.keyof({ node: null, edge: null }),
  entity_name: t.string,
  status: t.keyof({ pending: null, claimed: null, submitted: null, completed: null, failed: null }),
  attempts: t.number,
  claimed_at: nullableText,
  completed_at: nullableText,
  failed_at: nullableText,
  error_message: nullableText,
  created_at: t.string,
};

export const exportJobEndpoints = {
  listExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs',
    summary: 'List export jobs, newest first; analysts see those of their own snapshots',
    access: 'user',
    query: fields({ ...pageFields, status: optional(ExportJobFilter) }),
    success: {
      status: 200,
      shape: 'list',
      body: t.readonlyArray(
        t.strict({
          ...exportJobFields,
          claimed_by: nullableText,
          row_count: nullableNumber,
          size_bytes: nullableNumber,
        }),
      ),
    },
    errors: [],
  }),
  countPendingExportJobs: endpoint({
    method: 'GET',
    path: '/export-jobs/pending-count',
    summary: 'How many export jobs wait for a worker, for autoscalers',
    access: 'anybody',
    success: { status: 200, shape: 'flat', body: t.strict({ pendingCount: t.number }) },
    errors: [],
  }),
};
