import * as t from 'io-ts';
import { fields, nullable, text } from '../../../../domain/kernel/codecs';
import { JobName } from '../../../../domain/job';
import { JobView } from '../../../../queries/views/job';
import { data, endpoint } from '../../kit';
import { forOps } from '../ops/endpoints';

export const jobEndpoints = {
  triggerJob: endpoint({
    ...forOps,
    method: 'POST',
    path: '/ops/jobs/trigger',
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
  getJobsStatus: endpoint({
    ...forOps,
    method: 'GET',
    path: '/ops/jobs/status',
    summary: 'State of the background jobs, with their latest runs',
    success: data(
      t.strict({
        jobs: t.readonlyArray(JobView),
        /** The replica that runs the jobs, null while none does. */
        runs_on: nullable(t.string),
        retrieved_at: t.string,
      }),
    ),
  }),
};
