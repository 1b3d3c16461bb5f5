import { type JobRun } from '../../commands/jobs/job';
import { firstCause } from '../../commands/kit/command-context';

/** A run of a job by its schedule. */
export const scheduledRun = (signal: AbortSignal = new AbortController().signal): JobRun => ({
  signal,
  triggeredBy: null,
  cause: firstCause('00000000-0000-7000-8000-00000000abcd'),
});
