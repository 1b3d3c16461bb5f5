import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type CommandPorts } from '../../commands/kit/command-context';
import { type Job } from '../../commands/jobs/job';
import { exportReconciliationJob } from '../../commands/jobs/export-reconciliation';
import { lifecycleJob } from '../../commands/jobs/lifecycle';
import { reconciliationJob } from '../../commands/jobs/reconciliation';
import { resourceMonitorJob } from '../../commands/jobs/resource-monitor';
import { type ChangeCapacity } from '../../commands/capacity/reserve-slot';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { lifeDirectory } from '../../queries/ending-resources';
import { exportDirectory } from '../../queries/overdue-exports';
import { instanceDirectory } from '../../queries/instances';
import { type ReadDatabase } from '../../queries/kit/database';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';

export interface BackgroundJobParts {
  readonly pool: Pool;
  readonly db: ReadDatabase;
  readonly ports: CommandPorts;
  readonly changeCapacity: ChangeCapacity;
  /** Null where somebody else runs the pods. */
  readonly podRuntime: PodRuntime | null;
  readonly podClient: PodClient;
  readonly schemaCacheJob: Job;
}

/** Every background job, built from the parts of the system. */
export const backgroundJobs = (
  { pool, db, ports, changeCapacity, podRuntime, podClient, schemaCacheJob }: BackgroundJobParts,
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
    schemaCacheJob,
  ];
};
