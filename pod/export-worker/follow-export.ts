import { type Either, isLeft, right } from 'fp-ts/Either';
import { type FeedSignal } from '../../adapters/system/feed-signal';
import { pause, retry } from '../../adapters/system/retry';
import {
  type ExportRequest,
  type ExportState,
  type QueryEngine,
  type QueryEngineError,
} from '../../domain/ports/query-engine';
import { type WorkerJob } from '../../queries/views/export-job';

/** The state of an export, for reports. */
export interface ExportProgress {
  /** Null until the query engine has accepted it. */
  running: (ExportState & { state: 'running' }) | null;
  /** Whether its address is reported, so that other workers can poll it. */
  isSubmitted: boolean;
  /** Requests an immediate report of the export, and resolves when it is reported. */
  readonly notifications: FeedSignal;
}

/** Time for an unavailable engine to return before a new export fails. */
const SUBMIT_TIMEOUT_MS = 30_000;
const RETRY_MS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs a job's query, or resumes the export that another worker started, and waits for its end. Null after an
 * abort: `lost` cancels the query, `stop` leaves it running.
 */
export const followExport = async (
  engine: QueryEngine,
  job: WorkerJob,
  request: ExportRequest,
  progress: ExportProgress,
  signals: { readonly lost: AbortSignal; readonly stop: AbortSignal },
): Promise<Either<QueryEngineError, (ExportState & { state: 'finished' }) | null>> => {
  const lostOrStopped = AbortSignal.any([signals.lost, signals.stop]);
  const started = await start(engine, job, request, lostOrStopped);
  if (isLeft(started)) return started;
  let state = started.right;
  if (state.state === 'running' && !state.ownedByWorker && !progress.isSubmitted) {
    progress.running = state;
    progress.notifications.notify();
    // The query starts at the first poll and then outlives this worker, so its address must be reported before.
    await progress.notifications.waitAfter(progress.notifications.version, MAX_TIMER_MS, lostOrStopped);
  }
  const lost = aborted(signals.lost);
  while (state.state === 'running') {
    progress.running = state;
    if (signals.lost.aborted) {
      await engine.cancelExport(state.nextUri);
      // The engine cleans up the query at this poll.
      await engine.pollExport(state.nextUri, request);
    }
    if (signals.lost.aborted || signals.stop.aborted) return right(null);
    const polled = await Promise.race([engine.pollExport(state.nextUri, request), lost]);
    if (polled === 'aborted') continue;
    if (!isLeft(polled)) state = polled.right;
    else if (polled.left.kind === 'unavailable') await pause(RETRY_MS, lostOrStopped);
    else return polled;
  }
  return right(state);
};

const aborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));

const start = async (
  engine: QueryEngine,
  job: WorkerJob,
  request: ExportRequest,
  lostOrStopped: AbortSignal,
): Promise<Either<QueryEngineError, ExportState>> => {
  if (job.next_uri !== null) {
    const [queryId, nextUri] = [job.queryengine_query_id ?? '', job.next_uri];
    return right({ state: 'running', queryId, nextUri, ownedByWorker: false });
  }
  return retry(() => engine.submitExport(request), {
    pausesMs: [RETRY_MS, RETRY_MS],
    signal: lostOrStopped,
    until: Date.now() + SUBMIT_TIMEOUT_MS,
    onFailure: ({ kind }) => kind === 'unavailable',
  });
};
