import '../libuv-threads';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { pino } from 'pino';
import {
  decodeWorkerSettings,
  JobsAvailable,
  type WorkerSettings,
} from '../../adapters/contracts/export-worker/settings';
import { s3Settings } from '../../adapters/contracts/object-store-settings';
import { createDuckdbQueryEngine, type DuckdbQueryEngine } from '../../adapters/duckdb/duckdb-query-engine';
import { readLeftOut } from '../../adapters/duckdb/left-out-files';
import { openObjectStore } from '../../adapters/s3/open-object-store';
import { FeedSignal } from '../../adapters/system/feed-signal';
import { logOptions } from '../../adapters/system/log-options';
import { startTracing } from '../../adapters/system/tracing';
import { createTrinoQueryEngine } from '../../adapters/trino/trino-query-engine';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { ExportJobsApi } from './export-jobs-api';
import { runWorker } from './run-worker';
import { createJobWatch } from './watch-jobs';
import { createWorkerMetrics, serveWorkerMetrics } from './worker-metrics';

/** Time for a stopping worker to release its unfinished jobs. */
const GIVE_BACK_MS = 30_000;

const main = async (settings: WorkerSettings): Promise<number> => {
  const workerId = settings.ROWGRAPH_WORKER_ID;
  const log = pino({ ...logOptions, level: settings.ROWGRAPH_LOG_LEVEL, base: { worker: workerId } });
  const endTracing = await startTracing('rowgraph-worker');
  const scratchDirectory = join(settings.ROWGRAPH_WORKER_SCRATCH_DIR, encodeURIComponent(workerId));
  const signals = stopWhenAsked(1000 * settings.ROWGRAPH_WORKER_FINISH_SECONDS, (reason) =>
    log.info(`export worker ${workerId} stops: ${reason}`),
  );
  await rm(scratchDirectory, { recursive: true, force: true });
  const engine = await openEngine(settings, scratchDirectory);
  if (isLeft(engine)) {
    log.fatal(`The export worker cannot start: ${engine.left.message}`);
    return 1;
  }

  const metrics = createWorkerMetrics();
  const metricsPort = settings.ROWGRAPH_WORKER_METRICS_PORT;
  const served = metricsPort === 0 ? right(undefined) : await serveWorkerMetrics(metrics, metricsPort);
  if (isLeft(served)) {
    log.fatal(`The export worker cannot start: ${served.left}`);
    return 1;
  }

  const notifications = new FeedSignal();
  process.on('message', (message) => {
    if (JobsAvailable.is(message)) notifications.notify();
  });
  const { ROWGRAPH_WORKER_CONTROL_PLANE_URL: url, ROWGRAPH_WORKER_CONCURRENCY: concurrency } = settings;
  log.info(`export worker ${workerId} takes up to ${concurrency} jobs at a time from ${url}`);
  const controlPlane = new ExportJobsApi({
    url,
    token: settings.token,
    workerId,
    onRetry: (jobId, reason) => {
      metrics.reportRepeated();
      log.warn({ jobId, reason }, 'a report to the control plane has to be repeated');
    },
  });
  const root = fileURLToPath(settings.ROWGRAPH_OBJECT_STORE_ROOT ?? 'file:///');
  const store = await openObjectStore(s3Settings(settings), root);
  const watch = createJobWatch(controlPlane);
  const parts = { controlPlane, watch, engine: engine.right, store, scratchDirectory };
  await runWorker({ ...parts, concurrency, notifications, metrics, log }, signals);
  await engine.right.close();
  await endTracing();
  return 0;
};

const openEngine = async (
  settings: WorkerSettings,
  scratchDirectory: string,
): Promise<Either<QueryEngineError, DuckdbQueryEngine>> => {
  const { ROWGRAPH_CSV_LAYOUT_DIR: layoutDirectory } = settings;
  return settings.trino === null
    ? createDuckdbQueryEngine({
        warehouseDirectory: settings.ROWGRAPH_WAREHOUSE_DIR ?? '',
        scratchDirectory,
        layoutDirectory,
        ...(layoutDirectory === undefined ? {} : { leftOut: () => readLeftOut(layoutDirectory) }),
        memoryLimitMb: settings.ROWGRAPH_WORKER_MEMORY_MB,
        threads: availableParallelism(),
        hints: settings.ROWGRAPH_WORKER_HINTS === 'on',
      })
    : right({ ...createTrinoQueryEngine(settings.trino), close: () => Promise.resolve() });
};

/** Stops on SIGTERM, SIGINT, and the end of the parent process: stops claiming, releases running jobs, and exits. */
const stopWhenAsked = (
  finishMs: number,
  onStop: (reason: string) => void,
): { claiming: AbortSignal; working: AbortSignal } => {
  const [claiming, working] = [new AbortController(), new AbortController()];
  const stop = (reason: string): void => {
    if (claiming.signal.aborted) return;
    onStop(reason);
    claiming.abort();
    setTimeout(() => working.abort(), finishMs).unref();
    setTimeout(() => process.exit(1), finishMs + GIVE_BACK_MS).unref();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  if (process.connected) process.on('disconnect', () => stop('its parent process is gone'));
  return { claiming: claiming.signal, working: working.signal };
};

const settings = decodeWorkerSettings(process.env);
if (isLeft(settings)) {
  process.stderr.write(`${settings.left}\n`);
  process.exitCode = 1;
} else {
  void main(settings.right).then((code) => process.exit(code));
}
