import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { becomesClaimable } from '../../domain/export-job';
import { type EventStore, type FeedPage } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';
import { projections } from '../../projections/registry';
import { exposeProjections, prepareProjections } from '../../projections/projection-tables';
import { platformUnavailableReason } from '../contracts/graph-pod/platform';
import { internalApi } from '../http/internal/internal-api';
import { refusedCalls } from '../http/kit/refused-calls';
import { createHttpPodClient } from '../http/pods/http-pod-client';
import { socketAddress } from '../http/identity';
import { measureRequests, serveMetrics } from '../metrics/measure-requests';
import { raiseIdsAboveLog } from '../postgres/postgres-id-generator';
import { createPostgresTelemetryStore } from '../postgres/postgres-telemetry-store';
import { retry } from '../system/retry';
import { startProcesses, startProjections } from './background';
import { startJobs } from './background-jobs';
import { Closers, type StartFailure } from '../system/closers';
import { type Startup } from './startup';
import { startEmbeddedWorker } from './embedded-worker';
import { listen } from './listen';
import { openParts, type Parts } from './parts';
import { type Pods, reportLostPods } from './pods';
import { recoverEmbedded } from './recovery';
import { servePublicApi } from './serve-public-api';
import { internalUrl, type Settings } from './settings';
import { startRetention } from '../postgres/outdated-rows';
import { reportDiskFull } from '../filesystem/report-disk-full';

export interface RunningSystem {
  readonly publicUrl: string;
  readonly internalUrl: string;
  /** Resolves with the reason when it cannot continue and has to be stopped. */
  readonly failed: Promise<string>;
  /** Ends everything it started, pods and database included; they resume at the next start. */
  stop(): Promise<void>;
}

/** Catching up with a long log takes its time; the system does not answer before. */
const CATCH_UP_MS = 3_600_000;

/**
 * Builds and starts the whole system on one machine. What was opened is closed again when a later part fails.
 * `platformCheck` returns why a pod of a kind cannot run on this machine, or null.
 */
export const startSystem = async (
  settings: Settings,
  log: Logger,
  platformCheck: Pods['unavailableReason'] = platformUnavailableReason,
): Promise<Either<StartFailure, RunningSystem>> => {
  const closers = new Closers();
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => (fail = resolve));
  const stop = (): Promise<void> =>
    closers.closeAll((name, error) => log.error({ err: error }, `${name} did not close cleanly`));
  const started = await open({ settings, closers, log, fail }, platformCheck).catch((error: unknown) => {
    log.error({ err: error }, 'the start failed');
    return left({ message: `rowgraph could not start: ${error instanceof Error ? error.message : String(error)}` });
  });
  if (isLeft(started)) {
    await stop();
    return started;
  }
  return right({ publicUrl: settings.baseUrl, internalUrl: internalUrl(settings), failed, stop });
};

const open = async (
  startup: Startup,
  platformCheck: Pods['unavailableReason'],
): Promise<Either<StartFailure, void>> => {
  const opened = await openParts(platformCheck, startup);
  if (isLeft(opened)) return opened;
  const parts = opened.right;
  const worker = { wake: (): void => undefined };
  const readable = await openReadModels(parts, worker, startup);
  if (isLeft(readable)) return readable;
  const internal = await serveInternalApi(parts, startup);
  if (isLeft(internal)) return internal;

  await recoverEmbedded(parts.ports, parts.db, startup);
  // What is restarted must not be read as running.
  const recovered = await catchUpWithLog(parts.store, parts.catchUp);
  if (isLeft(recovered)) return recovered;
  startWriters(parts, worker, startup);
  return servePublicApi(parts, startup);
};

/** Announces new jobs to the embedded worker. */
interface Wakeable {
  wake: () => void;
}

/** Brings the read models up to date and keeps them so. */
const openReadModels = async (
  parts: Parts,
  worker: Wakeable,
  startup: Startup,
): Promise<Either<StartFailure, void>> => {
  const { pool, store, catchUp, triggerSignal } = parts;
  const { settings } = startup;
  await prepareProjections(pool, projections);
  const onPage = ({ events }: FeedPage): void => {
    if (events.some(becomesClaimable)) worker.wake();
    if (events.some(({ type }) => type === 'JobTriggered')) triggerSignal.notify();
    reportDiskFull(events, parts.writes, [settings.dataDirectory, settings.objectStoreDirectory]);
  };
  startProjections(parts, onPage, startup);
  const readable = await catchUpWithLog(store, catchUp);
  if (isLeft(readable)) return readable;
  await exposeProjections(pool, projections);
  const raised = await raiseIdsAboveLog(pool);
  if (raised.length > 0) {
    startup.log.warn(
      { kinds: raised },
      'the log names ids that the database has not given out: it was restored without the log, or the log was copied. New ids begin above them',
    );
  }
  startRetention(pool, startup.closers, startup.log);
  return right(undefined);
};

const serveInternalApi = (
  { ports, db, catchUp, pool, secret, metrics, objects, pods }: Parts,
  startup: Startup,
): Promise<Either<StartFailure, void>> => {
  const { settings, log } = startup;
  const app = internalApi(
    {
      ports,
      db,
      catchUp,
      telemetry: createPostgresTelemetryStore(pool),
      storageRoot: objects.root,
      instanceBaseUrl: pods.instanceBaseUrl,
    },
    secret,
    refusedCalls({
      perMinute: settings.refusedCallsPerMinute,
      addressOf: socketAddress,
      keyOf: (request) => request.get('Authorization') ?? null,
      note: (status) => metrics.refusedCalls.inc({ api: 'internal', status }),
    }),
    log,
    settings.eventStore.patienceMs,
  );
  const listener = serveMetrics(measureRequests('internal', app, metrics), metrics);
  return listen('internal', app, startup, listener);
};

/** Starts all that writes events by itself: processes, the embedded worker, the watch on pods and background jobs. */
const startWriters = (parts: Parts, worker: Wakeable, startup: Startup): void => {
  const { ports, pods, changeCapacity, objects } = parts;
  const { settings, log } = startup;
  const runsPods = settings.podRuntime !== 'none';
  reportLostPods(pods.runtime, ports, startup);
  const processPorts = {
    ...ports,
    changeCapacity,
    podRuntime: pods.runtime,
    objectStore: objects,
    instanceBaseUrl: pods.instanceBaseUrl,
    exportPlanner: settings.exportPlanner,
  };
  startProcesses(parts, processPorts, startup);
  if (settings.embeddedWorker) {
    worker.wake = startEmbeddedWorker(parts, startup);
  }
  const podClient = createHttpPodClient({ addressOf: pods.addressOf, log });
  const podRuntime = runsPods ? pods.runtime : null;
  startJobs(parts, { podRuntime, podClient }, startup);
};

/** Waits until the read models have seen everything that is in the log now. */
const catchUpWithLog = async (store: EventStore, catchUp: CatchUp): Promise<Either<StartFailure, void>> => {
  const reading = new AbortController();
  const timer = setTimeout(() => reading.abort(), CATCH_UP_MS);
  const head = await retry(() => store.head(), { firstPauseMs: 250, maxPauseMs: 2_000, signal: reading.signal });
  clearTimeout(timer);
  if (isLeft(head)) return left({ message: `The event store could not be read: ${head.left.reason}` });
  return (await catchUp.waitFor(head.right, CATCH_UP_MS))
    ? right(undefined)
    : left({ message: `The read models were not up to date after ${CATCH_UP_MS / 60_000} minutes; see the log.` });
};
