import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type FeedSignal } from '../../adapters/system/feed-signal';
import { inSpan } from '../../adapters/system/tracing';
import { type WorkerJob } from '../../queries/views/export-job';
import { type JobDependencies, runJob } from './run-job';
import { type WorkerMetrics } from './worker-metrics';

export interface WorkerDependencies extends JobDependencies {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  /** Signals new jobs and free capacity. */
  readonly notifications: FeedSignal;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
}

/** `claiming` aborts to stop claiming new jobs, `working` to abandon running ones. */
export interface WorkerSignals {
  readonly claiming: AbortSignal;
  readonly working: AbortSignal;
}

const IDLE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/** Claims and runs export jobs until `claiming` aborts; resolves when the last running job has ended. */
export const runWorker = async (deps: WorkerDependencies, signals: WorkerSignals): Promise<void> => {
  const { controlPlane, concurrency, notifications, metrics, log } = deps;
  const running = new Map<number, Promise<void>>();
  let failures = 0;

  const start = (job: WorkerJob): void => {
    if (running.has(job.id)) return;
    const startedAt = performance.now();
    const { job_type: type, entity_name: name, attempt, traceparent: parent } = job;
    const attributes = {
      'rowgraph.job': job.id,
      'rowgraph.definition': `${type} ${name}`,
      'rowgraph.attempt': attempt,
    };
    const run = async (): Promise<void> => {
      metrics.jobStarted();
      const end = await runJob(deps, job, signals.working);
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      metrics.jobEnded(end, seconds);
      log[end.end === 'failed' ? 'warn' : 'info'](
        { jobId: job.id, attempt, seconds, ...end },
        `${type} ${name}: ${end.end}`,
      );
    };
    const ended = inSpan('export job', { parent, attributes }, run)
      // Its lease expires, and the job is claimed again.
      .catch((error: unknown) => log.error({ err: error, jobId: job.id, attempt }, `${type} ${name}: ended by a bug`))
      .finally(() => {
        running.delete(job.id);
        notifications.notify();
      });
    running.set(job.id, ended);
  };

  const fetchJobs = async (
    kind: 'claim' | 'pollable',
    request: (limit: number) => Promise<Either<string, readonly WorkerJob[]>>,
  ): Promise<void> => {
    const free = concurrency - running.size;
    if (free <= 0 || signals.claiming.aborted) return;
    const jobs = await request(free).catch((error: unknown) => left(String(error)));
    metrics.countRequest(kind, !isLeft(jobs));
    if (isLeft(jobs)) {
      failures += 1;
      if (failures === 1) log.warn({ reason: jobs.left }, 'cannot claim jobs from the control plane; retrying');
      return;
    }
    if (failures > 0) log.info({ failures }, 'the control plane answers again');
    failures = 0;
    jobs.right.forEach(start);
  };

  while (!signals.claiming.aborted) {
    const { version } = notifications;
    await fetchJobs('claim', (limit) => controlPlane.claim(limit, [...running.keys()]));
    if (failures === 0) await fetchJobs('pollable', (limit) => controlPlane.pollable(limit));
    const pause = Math.min(IDLE_MS * 2 ** failures, MAX_PAUSE_MS) * (0.8 + 0.4 * Math.random());
    await notifications.waitAfter(version, pause, signals.claiming);
  }
  await Promise.all(running.values());
};
