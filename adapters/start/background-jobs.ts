import { type Job } from '../../commands/jobs/job';
import { runJobs } from '../../commands/jobs/run-job-loop';
import { exportReconciliationJob } from '../../commands/jobs/export-reconciliation';
import { lifecycleJob } from '../../commands/jobs/lifecycle';
import { reconciliationJob } from '../../commands/jobs/reconciliation';
import { resourceMonitorJob } from '../../commands/jobs/resource-monitor';
import { lifeDirectory } from '../../queries/ending-resources';
import { exportDirectory } from '../../queries/overdue-exports';
import { instanceDirectory } from '../../queries/instances';
import { createPostgresJobRuns } from '../postgres/postgres-job-runs';
import { type Parts } from './parts';

/** Starts running the background jobs, or standing by while another replica runs them. */
export const startJobs = (parts: Parts): void => {
  const { settings, closers, log, replica, pool, db, ports, work, podRuntime, podClient } = parts;
  const directory = instanceDirectory(db);
  const onFinding = (finding: string, details: object): void => log.warn(details, finding);
  const jobs: readonly Job[] = [
    reconciliationJob({ ...ports, changeCapacity: parts.changeCapacity, podRuntime, directory, work, onFinding }),
    lifecycleJob({ ...ports, directory: lifeDirectory(db), objectStore: parts.objects, podClient }),
    // The embedded engine's queries run inside the workers, which cancel them when a report is refused.
    exportReconciliationJob({ ...ports, directory: exportDirectory(db), engine: parts.queryEngine.shared }),
    resourceMonitorJob({ ...ports, directory }),
    parts.schema.refresh.job,
  ];
  const jobPorts = {
    ...ports,
    triggerSignal: parts.triggerSignal,
    runs: createPostgresJobRuns(pool),
    ...parts.leases,
    startedAt: ports.clock.now(),
    onRun: (job: string, outcome: { readonly kind: string }, trigger: object | null) => {
      // What happens every few seconds is for those who look closely.
      const level = outcome.kind === 'failed' ? 'warn' : trigger === null ? 'debug' : 'info';
      log[level]({ job, ...outcome, trigger }, `the job ${job} ${outcome.kind}`);
    },
  };
  closers.addLoop('background jobs', (signal) => runJobs(jobPorts, jobs, settings.jobIntervals, replica, signal));
};
