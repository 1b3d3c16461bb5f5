import { left } from 'fp-ts/Either';
import { JobName } from '../../../domain/job';
import { type Action, type ActionGroup } from '../action';
import { answered, wrongUsage } from '../failure';
import { command } from '../command';
import { tableOf } from '../output';
import { reasonOption } from '../request-options';

const show: Action = {
  usage: 'show <job>',
  summary: 'The latest runs of a job, with what they did or why they failed',
  run: async ({ api }, input) => {
    const name = input.argument(0);
    const known = Object.keys(JobName.keys).join(', ');
    if (!JobName.is(name)) return left(wrongUsage(`There is no job "${name}"; there are ${known}.`));
    return answered(api.getJobsStatus(), ({ data }) => {
      const runs = data.jobs.find((job) => job.name === name)?.last_runs ?? [];
      const table = tableOf(runs, {
        started: 'started_at',
        ended: 'ended_at',
        'asked by': 'triggered_by',
        result: ({ result, error }) => error?.message ?? result,
      });
      return { data: runs, table, ...(runs.length === 0 ? { note: `${name} has not run yet.` } : {}) };
    });
  },
};

export const jobCommands: ActionGroup = {
  name: 'jobs',
  summary: 'What the system does by itself (ops)',
  actions: [
    command('getJobsStatus', 'list', 'How the background jobs are doing', {
      show: ({ data }) => ({
        data,
        table: tableOf(data.jobs, {
          job: 'name',
          schedule: 'schedule',
          health: 'health_status',
          'last success': 'last_success_at',
          'last failure': 'last_failure_at',
          'next run': ({ next_run_at, running_since }) => (running_since === null ? next_run_at : 'runs now'),
        }),
        ...(data.runs_on === null ? { note: 'No replica runs the jobs at the moment.' } : {}),
      }),
    }),
    show,
    command('triggerJob', 'trigger <job>', 'Run a job soon, once a minute at most', {
      arguments: ['job_name'],
      options: [reasonOption],
      examples: ['jobs trigger schema_cache --reason "new tables"'],
      show: ({ data }) => ({
        data,
        text: `${data.job_name} is ${data.status}.`,
        note: `See how it went: rowgraph jobs show ${data.job_name}`,
      }),
    }),
  ],
};
