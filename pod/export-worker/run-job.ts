import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { describeFullDisk, isDiskFull } from '../../adapters/filesystem/disk-full';
import { FeedSignal } from '../../adapters/system/feed-signal';
import { relativePaths } from '../../adapters/system/relative-paths';
import { inSpan } from '../../adapters/system/tracing';
import { pollDelayMs } from '../../domain/export-job';
import { keyIn, type ObjectStore } from '../../domain/ports/object-store';
import { type ExportRequest, type QueryEngine, type QueryEngineError } from '../../domain/ports/query-engine';
import { type WorkerJob } from '../../queries/views/export-job';
import { attemptFolder, exportDestination, writeManifest } from './export-destination';
import { type ExportJobsApi, type JobReport, type ReportOutcome } from './export-jobs-api';
import { type ExportProgress, followExport } from './follow-export';
import { type JobWatch } from './watch-jobs';

const MAX_MESSAGE_LENGTH = 4000;

export interface JobDependencies {
  readonly controlPlane: ExportJobsApi;
  readonly watch: JobWatch;
  readonly engine: QueryEngine;
  readonly store: ObjectStore;
  readonly scratchDirectory: string;
}

type JobResult =
  | { readonly end: 'completed'; readonly rows: number; readonly bytes: number }
  | ({ readonly end: 'failed' } & Pick<JobReport, 'error_code' | 'error_message' | 'can_retry'>);

/**
 * The outcome of a job for this worker. `dropped`: it had ended elsewhere. `stopped`: released because the worker
 * stops.
 */
export type JobEnd = JobResult | { readonly end: 'dropped' | 'stopped' };

/**
 * Runs one job until it is completed, failed or lost, and reports the outcome. A failed attempt leaves no files. Never
 * rejects.
 */
export const runJob = async (deps: JobDependencies, claimed: WorkerJob, stop: AbortSignal): Promise<JobEnd> => {
  const job = { ...claimed, storage_path: keyIn(deps.store, claimed.storage_path) };
  const [lost, over] = [new AbortController(), new AbortController()];
  const progress: ExportProgress = {
    running: null,
    isSubmitted: claimed.next_uri !== null,
    notifications: new FeedSignal(),
  };
  const reporting = Promise.race([
    reportProgress(deps.controlPlane, job, progress, AbortSignal.any([over.signal, stop])),
    deps.watch.lossOf(job, over.signal),
  ]);
  void reporting.then((outcome) => {
    if (outcome !== 'stopped') lost.abort();
  });
  const result = await work(deps, job, progress, { lost: lost.signal, stop });
  over.abort();
  const lostAs = await reporting;
  if (lostAs === 'stopped' && result === null) return returnJob(deps, job, progress);

  const outcome =
    lostAs === 'stopped' && result !== null
      ? await deps.controlPlane.report(job.id, finalReport(job, result), new AbortController().signal)
      : lostAs;
  if (outcome === 'stopped') return { end: 'stopped' };
  // Files of this attempt that belong to a completed export are kept.
  const isValid = outcome === 'already_completed' || (outcome === 'accepted' && result?.end === 'completed');
  if (!isValid) await deps.store.deleteAll(attemptFolder(job));
  else await deleteEarlierAttempts(deps.store, job);
  return outcome === 'accepted' && result !== null ? result : { end: 'dropped' };
};

/** Releases a job that others must restart, without counting an attempt. Retried until the worker exits. */
const returnJob = async (
  { engine, store, controlPlane }: JobDependencies,
  job: WorkerJob,
  { running, isSubmitted }: ExportProgress,
): Promise<JobEnd> => {
  if (isSubmitted && running?.ownedByWorker === false) return { end: 'stopped' };
  if (running !== null) await engine.cancelExport(running.nextUri);
  await store.deleteAll(attemptFolder(job));
  await controlPlane.report(job.id, { attempt: job.attempt, status: 'pending' }, new AbortController().signal);
  return { end: 'stopped' };
};

/** Deletes files of killed workers. */
const deleteEarlierAttempts = async (store: ObjectStore, job: WorkerJob): Promise<void> => {
  for (let attempt = 1; attempt < job.attempt; attempt += 1) await store.deleteAll(attemptFolder({ ...job, attempt }));
};

/** Null when the job was lost or the worker stops before the result. */
const work = async (
  deps: JobDependencies,
  job: WorkerJob,
  progress: ExportProgress,
  signals: { readonly lost: AbortSignal; readonly stop: AbortSignal },
): Promise<JobResult | null> => {
  const shorten = relativePaths({ 'object-store': deps.store.root, scratch: deps.scratchDirectory });
  const fail = (error: QueryEngineError): JobResult => ({
    ...{ end: 'failed', can_retry: canRetry(error) },
    error_message: failureMessage(job, shorten(engineReason(error))),
    ...(error.kind === 'disk_full' ? { error_code: 'STARTUP_FAILED' as const } : {}),
  });
  const scratch = join(deps.scratchDirectory, `job-${job.id}-attempt-${job.attempt}`);
  try {
    await mkdir(scratch, { recursive: true });
    const request: ExportRequest = {
      ...{ sql: job.sql, columns: job.column_names, catalog: job.queryengine_catalog, scratchDirectory: scratch },
      owner: job.mapping_owner,
      tags: [
        ...[`instance:${job.instance_id ?? 'unknown'}`, `user:${job.owner_username ?? 'unknown'}`],
        ...[`snapshot:${job.snapshot_id}`, `job:${job.id}`],
      ],
      destination: exportDestination(deps.store, attemptFolder(job)),
    };
    const followed = await inSpan('query', {}, () => followExport(deps.engine, job, request, progress, signals));
    if (isLeft(followed)) return fail(followed.left);
    if (followed.right === null) return null;
    const stored = await writeManifest(deps.store, attemptFolder(job), followed.right.storedFiles);
    return isLeft(stored) ? fail(stored.left) : { end: 'completed', ...stored.right };
  } catch (error) {
    if (isDiskFull(error)) return fail({ kind: 'disk_full', message: await describeFullDisk(deps.scratchDirectory) });
    const message = `the worker failed unexpectedly: ${String(error)}`;
    return fail({ kind: 'query_failed', message, canRetry: false });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const finalReport = ({ attempt }: WorkerJob, result: JobResult): JobReport => {
  if (result.end === 'completed')
    return { attempt, status: 'completed', row_count: result.rows, size_bytes: result.bytes };
  const { end: status, ...failure } = result;
  return { attempt, status, ...failure };
};

/** The error message, starting with the definition. */
const failureMessage = (job: WorkerJob, reason: string): string =>
  Array.from(`${job.job_type} ${job.entity_name}: ${reason}`).slice(0, MAX_MESSAGE_LENGTH).join('');

const canRetry = (error: QueryEngineError): boolean =>
  error.kind === 'query_failed' ? error.canRetry : error.kind === 'unknown_query' || error.kind === 'disk_full';

/** The message of an engine's error. */
const engineReason = (error: QueryEngineError): string =>
  error.kind === 'invalid_sql' && error.position !== null
    ? `${error.message} (line ${error.position.line}, column ${error.position.column})`
    : error.message;

/** A job of an in-process engine that finishes within this time is never reported as `submitted`. */
const DIRECT_WINDOW_MS = 5_000;
/** A poll is reported this long before it is due, so that other workers do not take over the job. */
const REPORT_AHEAD_MS = 1_000;
const NOT_YET_RUNNING_MS = 200;

/**
 * Keeps the record of a job current while this worker holds it: `submitted` after the direct window, or at once if the
 * query outlives this worker; then the time of each next poll. If this worker fails, others resume from the record.
 * Resolves when the control plane rejects a report, or once `over` aborts.
 */
const reportProgress = async (
  controlPlane: ExportJobsApi,
  job: WorkerJob,
  progress: ExportProgress,
  over: AbortSignal,
): Promise<Exclude<ReportOutcome, 'accepted'>> => {
  let pollCount = job.poll_count;
  let pauseMs = progress.isSubmitted ? 0 : DIRECT_WINDOW_MS;
  let heard = progress.notifications.version;
  for (;;) {
    await progress.notifications.waitAfter(heard, pauseMs, over);
    if (over.aborted) return 'stopped';
    pauseMs = NOT_YET_RUNNING_MS;
    if (progress.running === null) continue;

    const { queryId, nextUri, ownedByWorker } = progress.running;
    const { isSubmitted } = progress;
    if (isSubmitted) pollCount += 1;
    const isEarly = !isSubmitted && !ownedByWorker;
    const delayMs = isEarly ? DIRECT_WINDOW_MS + REPORT_AHEAD_MS : pollDelayMs(pollCount);
    const report: JobReport = {
      attempt: job.attempt,
      ...(isSubmitted ? {} : { status: 'submitted', queryengine_query_id: queryId, owned_by_worker: ownedByWorker }),
      next_uri: nextUri,
      next_poll_at: new Date(Date.now() + delayMs).toISOString(),
      poll_count: pollCount,
    };
    const outcome = await controlPlane.report(job.id, report, over);
    if (outcome !== 'accepted') return outcome;
    progress.isSubmitted = true;
    progress.notifications.notify();
    heard = progress.notifications.version;
    pauseMs = delayMs - REPORT_AHEAD_MS;
  }
};
