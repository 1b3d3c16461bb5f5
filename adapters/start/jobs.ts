import { type Job } from '../../commands/jobs/job';
import { runJobs } from '../../commands/jobs/run-job-loop';
import { createPostgresJobRuns } from '../postgres/postgres-job-runs';
import { leasePorts } from '../postgres/leases';
import { type Parts } from './parts';
import { type Startup } from './startup';

/** Starts running the background jobs, or standing by while another replica runs them. */
export const startJobs = (
  { replica, pool, ports, triggerSignal }: Parts,
  jobs: readonly Job[],
  { settings, closers, log }: Startup,
): void => {
  const jobPorts = {
    ...ports,
    triggerSignal,
    runs: createPostgresJobRuns(pool),
    ...leasePorts(pool, log),
    startedAt: ports.clock.now(),
    onRun: (job: string, outcome: { readonly kind: string }, trigger: object | null) => {
      // What happens every few seconds is for those who look closely.
      const level = outcome.kind === 'failed' ? 'warn' : trigger === null ? 'debug' : 'info';
      log[level]({ job, ...outcome, trigger }, `the job ${job} ${outcome.kind}`);
    },
  };
  closers.addLoop('background jobs', (signal) => runJobs(jobPorts, jobs, settings.jobIntervals, replica, signal));
};
