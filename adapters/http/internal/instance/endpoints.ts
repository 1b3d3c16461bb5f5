import * as t from 'io-ts';
import { JobType } from '../../../../domain/export-job';
import { fields, optional, text } from '../../../../domain/kernel/codecs';
import { FilePage } from '../../../../queries/views/snapshot';
import { InstanceMapping } from '../../../contracts/graph-pod/instance-mapping';
import {
  Authorization,
  MetricsReport,
  ProgressReport,
  RequestKey,
  StatusReportBody,
} from '../../../contracts/graph-pod/reports';
import { data, endpoint, IdParams, noContent, queryInteger } from '../../kit';

const Updated = { status: 200, shape: 'data', body: t.strict({ updated: t.literal(true) }) } as const;
const ofInstance = {
  access: 'wrapper',
  resource: 'instance',
  params: IdParams,
  errors: ['PERMISSION_DENIED'],
} as const;

export const instanceEndpoints = {
  reportInstanceStatus: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/status',
    summary: 'Report the status of a pod',
    body: StatusReportBody,
    success: Updated,
    errors: ['INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  reportInstanceMetrics: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/metrics',
    summary: 'Report memory, disk and queries of a pod',
    body: MetricsReport,
    success: Updated,
  }),
  reportInstanceProgress: endpoint({
    ...ofInstance,
    method: 'PUT',
    path: '/instances/{id}/progress',
    summary: 'Report the start progress of a pod',
    body: ProgressReport,
    success: Updated,
  }),
  getRequestKey: endpoint({
    ...ofInstance,
    method: 'GET',
    path: '/instances/{id}/request-key',
    summary: 'Get the key of signed requests to a pod',
    success: data(RequestKey),
  }),
  getInstanceMapping: endpoint({
    ...ofInstance,
    method: 'GET',
    path: '/instances/{id}/mapping',
    summary: 'Get the mapping and files that a pod loads',
    success: data(InstanceMapping),
  }),
  listInstanceFiles: endpoint({
    ...ofInstance,
    method: 'GET',
    path: '/instances/{id}/files',
    summary: 'List the files of a definition that a pod loads, with addresses that may expire',
    query: fields({
      job_type: JobType,
      name: text({ min: 1, max: 64 }),
      after: optional(queryInteger(0, 1_000_000_000)),
    }),
    success: data(FilePage),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE'],
  }),
  reportInstanceActivity: endpoint({
    ...ofInstance,
    method: 'POST',
    path: '/instances/{id}/activity',
    summary: 'Report that the instance was used',
    success: noContent,
  }),
  authorizeCaller: endpoint({
    method: 'GET',
    path: '/instances/{slug}/authorize',
    summary: 'Whether the user in X-Username may run algorithms on the instance',
    access: 'wrapper',
    resource: 'instance',
    params: fields({ slug: text({ min: 1, max: 100 }) }),
    success: data(Authorization),
    errors: ['UNAUTHORIZED', 'PERMISSION_DENIED'],
  }),
};
