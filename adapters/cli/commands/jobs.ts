import { left } from 'fp-ts/Either';
import { JobName } from '../../../domain/job';
import { type Action, type ActionGroup } from '../action';
import { answered } from '../answered';
import { wrongUsage } from '../failure';
import { tableOf } from '../output';

const list: Action = {
  usage: 'list',
  summary: 'How the background jobs are doing',
  run: ({ api }) =>
    answered(api.getJobsStatus(), ({ data }) => ({
      data,
      table: tableOf(data.jobs, [
        ['job', ({ name }) => name],
        ['schedule', ({ schedule }) => schedule],
        ['health', ({ health_status }) => health_status],
        ['last success', ({ last_success_at }) => last_success_at],
        ['last failure', ({ last_failure_at }) => last_failure_at],
        ['next run', ({ next_run_at, running_since }) => (running_since === null ? next_run_at : 'runs now')],
      ]),
      ...(data.runs_on === null ? { note: 'No replica runs the jobs at the moment.' } : {}),
    })),
};

const show: Action = {
  usage: 'show <job>',
  summary: 'The latest runs of a job, with what they did or why they failed',
  run: async ({ api }, given) => {
    const name = given.argument(0);
    if (!JobName.is(name)) return left(unknownJob(name));
    return answered(api.getJobsStatus(), ({ data }) => {
      const runs = data.jobs.find((job) => job.name === name)?.last_runs ?? [];
      return {
        data: runs,
        table: tableOf(runs, [
          ['started', ({ started_at }) => started_at],
          ['ended', ({ ended_at }) => ended_at],
          ['asked by', ({ triggered_by }) => triggered_by],
          ['result', ({ result, error }) => error?.message ?? result],
        ]),
        ...(runs.length === 0 ? { note: `${name} has not run yet.` } : {}),
      };
    });
  },
};

const trigger: Action = {
  usage: 'trigger <job>',
  summary: 'Run a job soon, once a minute at most',
  options: [{ flags: '--reason <text>', description: 'why; kept for ever' }],
  examples: ['jobs trigger schema_cache --reason "new tables"'],
  run: async ({ api }, given) => {
    const name = given.argument(0);
    if (!JobName.is(name)) return left(unknownJob(name));
    const reason = given.text('reason');
    if (reason === undefined) return left(wrongUsage('Say why: --reason <text>. It is kept for ever.'));
    return answered(api.triggerJob({ body: { job_name: name, reason } }), ({ data }) => ({
      data,
      text: `${data.job_name} is ${data.status}.`,
      note: `See how it went: rowgraph jobs show ${data.job_name}`,
    }));
  },
};

const unknownJob = (name: string) =>
  wrongUsage(`There is no job "${name}"; there are ${Object.keys(JobName.keys).join(', ')}.`);

export const jobCommands: ActionGroup = {
  name: 'jobs',
  summary: 'What the system does by itself (ops)',
  actions: [list, show, trigger],
};
