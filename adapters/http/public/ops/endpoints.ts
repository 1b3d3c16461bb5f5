import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { endpoint, pageFields, queryInteger, withDefault } from '../../kit';
import { ExportJobFilter, exportJobFields } from '../export-job/endpoints';

export const opsEndpoints = {
  getOpsState: endpoint({
    method: 'GET',
    path: '/ops/state',
    summary: 'How many resources there are in each state',
    access: 'ops',
    validationCode: 'VALIDATION_ERROR',
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        instances: t.strict({
          total: t.number,
          by_status: t.strict({
            waiting_for_snapshot: t.number,
            starting: t.number,
            running: t.number,
            stopping: t.number,
            stopped: t.number,
            failed: t.number,
            terminated: t.number,
          }),
          without_pod_name: t.number,
        }),
        snapshots: t.strict({
          total: t.number,
          by_status: t.strict({ pending: t.number, creating: t.number, ready: t.number, failed: t.number }),
        }),
        export_jobs: t.strict({
          by_status: t.strict({
            pending: t.number,
            claimed: t.number,
            submitted: t.number,
            completed: t.number,
            failed: t.number,
          }),
        }),
        retrieved_at: t.string,
      }),
    },
    errors: [],
  }),
  listOpsExportJobs: endpoint({
    method: 'GET',
    path: '/ops/export-jobs',
    summary: 'List all export jobs, newest first',
    access: 'ops',
    validationCode: 'VALIDATION_ERROR',
    query: fields({
      ...pageFields,
      limit: optional(withDefault(queryInteger(1, 100), 100)),
      status: optional(ExportJobFilter),
    }),
    success: { status: 200, shape: 'list', body: t.readonlyArray(t.strict(exportJobFields)) },
    errors: [],
  }),
};
