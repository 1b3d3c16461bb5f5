import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type CommandPorts } from '../../commands/kit/command-context';
import { type Job } from '../../commands/jobs/job';
import { type TriggerNews } from '../../commands/jobs/run-job-loop';
import { runJobs } from '../../commands/jobs/run-jobs';
import { type JobIntervals } from '../../domain/job';
import { createPostgresJobRuns } from '../postgres/postgres-job-runs';
import { type Closers } from './closers';
import { leasePorts } from './leases';

/** Starts running the background jobs, or standing by while another replica runs them. */
export const startJobs = (
  {
    replica,
    pool,
    ports,
    news,
    jobs,
    intervals,
  }: {
    /** Names this control plane. */
    readonly replica: string;
    readonly pool: Pool;
    readonly ports: CommandPorts;
    readonly news: TriggerNews;
    readonly jobs: readonly Job[];
    readonly intervals: JobIntervals;
  },
  closers: Closers,
  log: Logger,
): void => {
  const ending = new AbortController();
  const jobPorts = {
    ...ports,
    news,
    runs: createPostgresJobRuns(pool),
    ...leasePorts(pool, log),
    startedAt: ports.clock.now(),
    onRun: (job: string, outcome: { readonly kind: string }, trigger: object | null) => {
      // What happens every few seconds is for those who look closely.
      const level = outcome.kind === 'failed' ? 'warn' : trigger === null ? 'debug' : 'info';
      log[level]({ job, ...outcome, trigger }, `the job ${job} ${outcome.kind}`);
    },
  };
  const running = runJobs(jobPorts, jobs, intervals, replica, ending.signal);
  closers.add('background jobs', () => {
    ending.abort();
    return running;
  });
};
