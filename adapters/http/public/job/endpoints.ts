import * as t from 'io-ts';
import { fields, nullable, text } from '../../../../domain/kernel/codecs';
import { JobName } from '../../../../domain/job';
import { endpoint } from '../../kit';
import { nullableText } from '../codecs';

const JobStatus = t.strict({
  name: JobName,
  schedule: t.string,
  last_success_at: nullableText,
  last_failure_at: nullableText,
  consecutive_failures: t.number,
  health_status: t.keyof({ healthy: null, unhealthy: null }),
  running_since: nullableText,
  next_run_at: nullableText,
  open_trigger: nullable(t.strict({ triggered_at: t.string, triggered_by: t.string, reason: t.string })),
  last_runs: t.readonlyArray(
    t.strict({
      started_at: t.string,
      ended_at: t.string,
      triggered_by: nullableText,
      result: nullable(t.record(t.string, t.number)),
      error: nullable(t.strict({ code: t.string, message: t.string })),
    }),
  ),
});

export const jobEndpoints = {
  triggerJob: endpoint({
    method: 'POST',
    path: '/ops/jobs/trigger',
    summary: 'Run a background job soon, once a minute at most',
    access: 'ops',
    validationCode: 'VALIDATION_ERROR',
    body: fields({ job_name: JobName, reason: text({ min: 1, max: 500, notBlank: true }) }),
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        job_name: JobName,
        status: t.literal('queued'),
        triggered_at: t.string,
        triggered_by: t.string,
        reason: t.string,
      }),
    },
    errors: ['RATE_LIMIT_EXCEEDED'],
  }),
  getJobsStatus: endpoint({
    method: 'GET',
    path: '/ops/jobs/status',
    summary: 'How the background jobs are doing, with their latest runs',
    access: 'ops',
    validationCode: 'VALIDATION_ERROR',
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        jobs: t.readonlyArray(JobStatus),
        /** The replica that runs the jobs, null while none does. */
        runs_on: nullableText,
        retrieved_at: t.string,
      }),
    },
    errors: [],
  }),
};
