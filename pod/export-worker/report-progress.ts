import { setTimeout as sleep } from 'node:timers/promises';
import { pollDelayMs } from '../../domain/export-job';
import { type ExportJobsApi, type JobReport, type ReportOutcome } from './export-jobs-api';
import { type ExportProgress } from './follow-export';
import { type WorkerJob } from '../../queries/views/export-job';

/** So long a job may finish without ever becoming `submitted`. */
const DIRECT_WINDOW_MS = 5_000;
/** A poll is reported so much before it is due, so that nobody takes over a job in good hands. */
const REPORT_AHEAD_MS = 1_000;
const NOT_YET_RUNNING_MS = 200;

/**
 * Keeps the record of a job current while this worker holds it: `submitted` after the direct window, then the time of
 * each next poll. Should this worker vanish, the record tells others when and where to go on. Resolves
 * when the control plane refuses a report, or once `over` aborts.
 */
export const reportProgress = async (
  controlPlane: ExportJobsApi,
  job: WorkerJob,
  progress: ExportProgress,
  over: AbortSignal,
): Promise<Exclude<ReportOutcome, 'taken'>> => {
  let isSubmitted = job.next_uri !== null;
  let pollCount = job.poll_count;
  let pauseMs = isSubmitted ? 0 : DIRECT_WINDOW_MS;
  for (;;) {
    await sleep(pauseMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return 'stopped';
    pauseMs = NOT_YET_RUNNING_MS;
    if (progress.running === null) continue;

    const { queryId, nextUri } = progress.running;
    if (isSubmitted) pollCount += 1;
    const delayMs = pollDelayMs(pollCount);
    const report: JobReport = {
      attempt: job.attempt,
      ...(isSubmitted ? {} : { status: 'submitted', queryengine_query_id: queryId }),
      next_uri: nextUri,
      next_poll_at: new Date(Date.now() + delayMs).toISOString(),
      poll_count: pollCount,
    };
    const outcome = await controlPlane.report(job.id, report, over);
    if (outcome !== 'taken') return outcome;
    isSubmitted = true;
    pauseMs = delayMs - REPORT_AHEAD_MS;
  }
};
