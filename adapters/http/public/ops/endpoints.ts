import * as t from 'io-ts';
import { JobName } from '../../../../domain/job';
import { fields, type FieldsOf, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { ExportJobFilter, ExportJobSummary } from '../../../../queries/views/export-job';
import { PodToRun } from '../../../../queries/views/instance';
import { JobView, OpsState, ParkedEventView } from '../../../../queries/views/ops';
import { data, endpoint, list, queryInteger, withDefault } from '../../kit';
import { listFields } from '../codecs';
import { JOB_ORDERS } from '../snapshot/endpoints';

/** Default page size. */
export const OPS_PAGE_SIZE = 100;

/** Shared declaration of operations below `/ops`. */
export const forOps = { access: 'ops', validationCode: 'VALIDATION_ERROR' } as const;

const Reader = text({ min: 1, max: 255 });
const StreamId = text({ min: 1, max: 1000 });
const order = { reader: Reader, stream_id: StreamId, reason: text({ min: 1, max: 500, notBlank: true }) };
export type RetryOrder = FieldsOf<typeof order>;
const outcome = {
  reader: t.string,
  stream_id: t.string,
  /** Number of parked events that were applied. */
  applied: t.number,
  /** Number of events of the stream that are still parked, and the reason why the first one could not be applied. */
  remaining: t.number,
  error: nullable(t.string),
};

export const opsEndpoints = {
  getOpsState: endpoint('GET /ops/state', {
    ...forOps,
    summary: 'Number of resources by state',
    success: data(t.strict({ ...OpsState.type.props, retrieved_at: t.string })),
  }),
  listOpsExportJobs: endpoint('GET /ops/export-jobs', {
    ...forOps,
    summary: 'List all export jobs, newest first',
    query: fields({
      ...listFields(...JOB_ORDERS),
      limit: optional(withDefault(queryInteger(1, 100), OPS_PAGE_SIZE)),
      status: optional(ExportJobFilter),
    }),
    success: list(ExportJobSummary),
  }),
  listPodsToRun: endpoint('GET /ops/pods', {
    ...forOps,
    summary:
      'Instances that need a pod from an external runner, with the settings of each pod (ROWGRAPH_POD_RUNTIME=none)',
    query: fields({
      ...listFields('created_at', 'status', 'memory_bytes', 'owner_username'),
      status: optional(PodToRun.type.props.status),
    }),
    success: list(
      t.strict({
        ...PodToRun.type.props,
        /** Authenticates the pod at the internal API. */
        token: t.string,
      }),
    ),
    errors: ['INVALID_STATE'],
  }),
  triggerJob: endpoint('POST /ops/jobs/trigger', {
    ...forOps,
    summary: 'Trigger a background job, at most once a minute',
    body: fields({ job_name: JobName, reason: text({ min: 1, max: 500, notBlank: true }) }),
    success: data(
      t.strict({
        job_name: JobName,
        status: t.literal('queued'),
        triggered_at: t.string,
        triggered_by: t.string,
        reason: t.string,
      }),
    ),
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  getJobsStatus: endpoint('GET /ops/jobs/status', {
    ...forOps,
    summary: 'State of the background jobs, with their latest runs',
    success: data(
      t.strict({
        jobs: t.readonlyArray(JobView),
        /** The replica that runs the jobs; null if none does. */
        runs_on: nullable(t.string),
        retrieved_at: t.string,
      }),
    ),
  }),
  listParkedEvents: endpoint('GET /ops/parked-events', {
    ...forOps,
    summary:
      'List the events that a read model or the processes could not apply, and the later ones of the same streams',
    query: fields({
      ...listFields('parked_at', 'reader', 'stream_id', 'event_type', 'attempts'),
      reader: optional(Reader),
      stream_id: optional(StreamId),
    }),
    success: list(ParkedEventView),
  }),
  retryParkedEvents: endpoint('POST /ops/parked-events/retry', {
    ...forOps,
    summary: 'Apply the parked events of a stream, in order, until one fails again',
    takesLong: true,
    body: fields(order),
    success: data(t.strict(outcome)),
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  skipParkedEvent: endpoint('POST /ops/parked-events/skip', {
    ...forOps,
    summary: 'Skip the first parked event of a stream, then apply the later ones',
    takesLong: true,
    body: fields({ ...order, position: text({ min: 1, max: 19 }) }),
    success: data(t.strict({ ...outcome, skipped_position: t.string })),
    errors: ['RESOURCE_NOT_FOUND', 'INVALID_STATE'],
  }),
};
