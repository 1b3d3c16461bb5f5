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
  reportInstanceStatus: endpoint('PUT /instances/{id}/status', {
    ...ofInstance,
    summary: 'Report the status of a pod',
    body: StatusReportBody,
    success: Updated,
    errors: ['INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  reportInstanceMetrics: endpoint('PUT /instances/{id}/metrics', {
    ...ofInstance,
    summary: 'Report memory, disk and queries of a pod',
    body: MetricsReport,
    success: Updated,
  }),
  reportInstanceProgress: endpoint('PUT /instances/{id}/progress', {
    ...ofInstance,
    summary: 'Report the start progress of a pod',
    body: ProgressReport,
    success: Updated,
  }),
  getRequestKey: endpoint('GET /instances/{id}/request-key', {
    ...ofInstance,
    summary: 'Get the key of signed requests to a pod',
    success: data(RequestKey),
  }),
  getInstanceMapping: endpoint('GET /instances/{id}/mapping', {
    ...ofInstance,
    summary: 'Get the mapping and files that a pod loads',
    success: data(InstanceMapping),
  }),
  listInstanceFiles: endpoint('GET /instances/{id}/files', {
    ...ofInstance,
    summary: 'List the files of a definition that a pod loads, with addresses that may expire',
    query: fields({
      job_type: JobType,
      name: text({ min: 1, max: 64 }),
      after: optional(queryInteger(0, 1_000_000_000)),
    }),
    success: data(FilePage),
    errors: ['PERMISSION_DENIED', 'INVALID_STATE'],
  }),
  reportInstanceActivity: endpoint('POST /instances/{id}/activity', {
    ...ofInstance,
    summary: 'Report that the instance was used',
    success: noContent,
  }),
  authorizeCaller: endpoint('GET /instances/{slug}/authorize', {
    summary: 'Whether the user in X-Username may run algorithms on the instance',
    access: 'wrapper',
    resource: 'instance',
    params: fields({ slug: text({ min: 1, max: 100 }) }),
    success: data(Authorization),
    errors: ['UNAUTHORIZED', 'PERMISSION_DENIED'],
  }),
};
