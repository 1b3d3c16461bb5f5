import { type Logger } from 'pino';
import { type Job } from '../../commands/jobs/job';
import { exportReconciliationJob } from '../../commands/jobs/export-reconciliation';
import { lifecycleJob } from '../../commands/jobs/lifecycle';
import { reconciliationJob } from '../../commands/jobs/reconciliation';
import { resourceMonitorJob } from '../../commands/jobs/resource-monitor';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { lifeDirectory } from '../../queries/ending-resources';
import { exportDirectory } from '../../queries/overdue-exports';
import { instanceDirectory } from '../../queries/instances';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';
import { type Parts } from './parts';

/** Every background job, built from the parts of the system; `podRuntime` null where pods run elsewhere. */
export const backgroundJobs = (
  { pool, db, ports, changeCapacity, schema }: Parts,
  { podRuntime, podClient }: { readonly podRuntime: PodRuntime | null; readonly podClient: PodClient },
  log: Logger,
): readonly Job[] => {
  const directory = instanceDirectory(db);
  const work = createPostgresProcessWork(pool, (message) => log.error(message));
  const onFinding = (finding: string, details: object): void => log.warn(details, finding);
  return [
    reconciliationJob({ ...ports, changeCapacity, podRuntime, directory, work, onFinding }),
    lifecycleJob({ ...ports, directory: lifeDirectory(db), podClient }),
    // The embedded engine's queries run inside the workers, which cancel them when a report is refused.
    exportReconciliationJob({ ...ports, directory: exportDirectory(db), cancelExport: null }),
    resourceMonitorJob({ ...ports, directory }),
    schema.refresh.job,
  ];
};
