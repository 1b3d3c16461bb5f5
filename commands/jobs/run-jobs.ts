import { type JobIntervals, JOBS_LEASE } from '../../domain/job';
import { doWhileLeaseHeld, type LeasePorts } from './hold-lease';
import { type Job } from './job';
import { type JobLoopPorts, runJobLoop } from './run-job-loop';

/**
 * Runs the background jobs whenever this replica holds their lease, until `signal` aborts. Every job has a loop of its
 * own, so that a long one does not hold up the others and none overlaps itself.
 */
export const runJobs = (
  ports: LeasePorts & JobLoopPorts,
  jobs: readonly Job[],
  intervals: JobIntervals,
  replica: string,
  signal: AbortSignal,
): Promise<void> =>
  doWhileLeaseHeld(
    ports,
    JOBS_LEASE,
    replica,
    async (lease, held) => {
      await Promise.all(jobs.map((job) => runJobLoop(ports, job, intervals[job.name], lease, held)));
    },
    signal,
  );
