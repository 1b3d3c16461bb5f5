import { isLeft, right } from 'fp-ts/Either';
import { triggerJob } from '../../../../commands/jobs/run-job-loop';
import { scheduleText, UNHEALTHY_AFTER } from '../../../../domain/job';
import { findJobRunner, listJobs } from '../../../../queries/jobs';
import { type jobEndpoints } from './endpoints';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const jobHandlers = ({ db, ports, jobIntervals }: PublicDependencies): PublicHandlers<typeof jobEndpoints> => ({
  triggerJob: async ({ body: { job_name, reason }, identity }) => {
    const triggered = await triggerJob(ports, job_name, reason, identity.context);
    if (isLeft(triggered)) return triggered;
    const { state, position } = triggered.right;
    const triggered_at = state.lastTriggeredAt ?? ports.clock.now().toISOString();
    const body = { job_name, status: 'queued' as const, triggered_at, triggered_by: identity.username, reason };
    return right({ body, position });
  },

  getJobsStatus: async () => {
    const jobs = (await listJobs(db)).map((job) => ({
      ...job,
      schedule: scheduleText(jobIntervals[job.name]),
      health_status: job.consecutive_failures < UNHEALTHY_AFTER ? ('healthy' as const) : ('unhealthy' as const),
    }));
    return right({
      body: { jobs, runs_on: await findJobRunner(db), retrieved_at: ports.clock.now().toISOString() },
    });
  },
});
