import * as t from 'io-ts';
import { fields, optional } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, ExportJobSummary } from '../../../../queries/views/export-job';
import { PodToRun } from '../../../../queries/views/instance';
import { OpsState } from '../../../../queries/views/ops-state';
import { data, endpoint, list, queryInteger, withDefault } from '../../kit';
import { listFields } from '../codecs';
import { JOB_ORDERS } from '../export-job/endpoints';

/** Items of a page unless it is asked otherwise. */
export const OPS_PAGE_SIZE = 100;

/** What operations below `/ops` have in common. */
export const forOps = { access: 'ops', validationCode: 'VALIDATION_ERROR' } as const;

export const opsEndpoints = {
  getOpsState: endpoint({
    ...forOps,
    method: 'GET',
    path: '/ops/state',
    summary: 'Number of resources by state',
    success: data(t.strict({ ...OpsState.type.props, retrieved_at: t.string })),
  }),
  listOpsExportJobs: endpoint({
    ...forOps,
    method: 'GET',
    path: '/ops/export-jobs',
    summary: 'List all export jobs, newest first',
    query: fields({
      ...listFields(...JOB_ORDERS),
      limit: optional(withDefault(queryInteger(1, 100), OPS_PAGE_SIZE)),
      status: optional(ExportJobFilter),
    }),
    success: list(ExportJobSummary),
  }),
  listPodsToRun: endpoint({
    ...forOps,
    method: 'GET',
    path: '/ops/pods',
    summary:
      'Instances that need a pod from an external runner, with the settings of each pod (ROWGRAPH_POD_RUNTIME=none)',
    query: fields({
      ...listFields('created_at', 'status', 'memory_bytes', 'owner_username'),
      status: optional(PodToRun.type.props.status),
    }),
    success: list(
      t.strict({
        ...PodToRun.type.props,
        /** Speaks for the pod at the internal API. */
        token: t.string,
      }),
    ),
    errors: ['INVALID_STATE'],
  }),
};
