import { isLeft, left, right } from 'fp-ts/Either';
import { triggerJob } from '../../../../commands/jobs/run-job-loop';
import { retryParkedEvents } from '../../../../commands/parked-events/retry-parked-events';
import { scheduleText, UNHEALTHY_AFTER } from '../../../../domain/job';
import { domainError } from '../../../../domain/kernel/errors';
import { type PodRuntime } from '../../../../domain/ports/pod-runtime';
import { listExportJobs } from '../../../../queries/export-jobs';
import { findJobRunner, listJobs } from '../../../../queries/jobs';
import { listPodsToRun, readOpsState } from '../../../../queries/ops-state';
import { listParkedEvents } from '../../../../queries/parked-events';
import { ExportJobSummary } from '../../../../queries/views/export-job';
import { replyPage } from '../codecs';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { OPS_PAGE_SIZE, type opsEndpoints, type RetryOrder } from './endpoints';

export const opsHandlers = (deps: PublicDependencies): PublicHandlers<typeof opsEndpoints> => {
  const { db, ports, podRuntime } = deps;
  return {
    getOpsState: async () =>
      right({ body: { ...(await readOpsState(db)), retrieved_at: ports.clock.now().toISOString() } }),

    listOpsExportJobs: ({ query }) =>
      replyPage({ limit: OPS_PAGE_SIZE, ...query }, async (page) => {
        const { items, total } = await listExportJobs(db, query, page);
        return { items: items.map(ExportJobSummary.encode), total };
      }),

    listPodsToRun: async ({ query }) => {
      if (podRuntime.managesPods) return left(runsThemItself(podRuntime));
      return replyPage(query, async (page) => {
        const { items, total } = await listPodsToRun(db, query, page);
        return { items: items.map((pod) => ({ ...pod, token: deps.podTokenOf(pod.instance_id) })), total };
      });
    },

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
        schedule: scheduleText(deps.jobIntervals[job.name]),
        health_status: job.consecutive_failures < UNHEALTHY_AFTER ? ('healthy' as const) : ('unhealthy' as const),
      }));
      return right({
        body: { jobs, runs_on: await findJobRunner(db), retrieved_at: ports.clock.now().toISOString() },
      });
    },

    listParkedEvents: ({ query }) => replyPage(query, (page) => listParkedEvents(db, query, page)),

    retryParkedEvents: ({ body, identity }) => carryOut(deps, 'RetryParkedEvents', body, null, identity),

    skipParkedEvent: async ({ body, identity }) => {
      const done = await carryOut(deps, 'SkipParkedEvent', body, body.position, identity);
      if (isLeft(done)) return done;
      return right({ ...done.right, body: { ...done.right.body, skipped_position: body.position } });
    },
  };
};

const runsThemItself = ({ kind }: PodRuntime) =>
  domainError(
    'INVALID_STATE',
    'This control plane runs the pods itself. Set ROWGRAPH_POD_RUNTIME=none to run them elsewhere.',
    { pod_runtime: kind },
  );

/** Applies or skips parked events of a stream; returns the events that are still parked. */
const carryOut = async <T extends 'RetryParkedEvents' | 'SkipParkedEvent'>(
  { db, ports, parkedEvents }: PublicDependencies,
  type: T,
  { reader, stream_id, reason }: RetryOrder,
  expected: string | null,
  { context }: ApiCaller,
) => {
  const order = { type, reader, streamId: stream_id, expected, reason };
  const done = await retryParkedEvents({ ...ports, parkedEvents }, order, context);
  if (isLeft(done)) return done;
  const { applied, error, position } = done.right;
  const left = await listParkedEvents(db, { reader, stream_id }, { offset: 0, limit: 1 });
  return right({ body: { reader, stream_id, applied, remaining: left.total, error }, position });
};
