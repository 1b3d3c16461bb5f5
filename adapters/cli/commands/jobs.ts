import { left } from 'fp-ts/Either';
import { JobName } from '../../../domain/job';
import { type Action, type ActionGroup } from '../action';
import { answered, wrongUsage } from '../failure';
import { command } from '../command';
import { tableOf } from '../output';
import { reasonOption } from '../request-options';

const JOBS = Object.keys(JobName.keys);

const show: Action = {
  usage: 'show <job>',
  summary: 'Show the latest runs of a job',
  choices: { job: JOBS },
  run: async ({ api }, input) => {
    const name = input.argument(0);
    if (!JobName.is(name)) return left(wrongUsage(`Unknown job "${name}"; expected one of ${JOBS.join(', ')}.`));
    return answered(api.getJobsStatus(), ({ data }) => {
      const runs = data.jobs.find((job) => job.name === name)?.last_runs ?? [];
      const table = tableOf(runs, {
        started: 'started_at',
        ended: 'ended_at',
        'triggered by': 'triggered_by',
        result: ({ result, error }) => error?.message ?? result,
      });
      return { data: runs, table, ...(runs.length === 0 ? { note: `${name} has not run yet.` } : {}) };
    });
  },
};

export const jobCommands: ActionGroup = {
  name: 'jobs',
  summary: 'Background jobs (ops)',
  actions: [
    command('getJobsStatus', 'list', 'List background jobs and their health', {
      show: ({ data }) => ({
        data,
        table: tableOf(data.jobs, {
          job: 'name',
          schedule: 'schedule',
          health: 'health_status',
          'last success': 'last_success_at',
          'last failure': 'last_failure_at',
          'next run': ({ next_run_at, running_since }) => (running_since === null ? next_run_at : 'running'),
        }),
        ...(data.runs_on === null ? { note: 'No replica runs the jobs now.' } : {}),
      }),
    }),
    show,
    command('triggerJob', 'trigger <job>', 'Run a job (at most once per minute)', {
      arguments: ['job_name'],
      options: [reasonOption],
      examples: ['jobs trigger schema_cache --reason "new tables"'],
      show: ({ data }) => ({
        data,
        text: `Job ${data.job_name}: ${data.status}.`,
        note: `See: rowgraph jobs show ${data.job_name}`,
      }),
    }),
  ],
};
