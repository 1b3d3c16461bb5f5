import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { becomesClaimable } from '../../domain/export-job';
import { prepareProjections } from '../../projections/projection-tables';
import { projections } from '../../projections/registry';
import { platformUnavailableReason } from '../contracts/graph-pod/platform';
import { requestKeyOf } from '../contracts/graph-pod/request-signature';
import { socketAddress } from '../http/identity';
import { internalApi } from '../http/internal/internal-api';
import { serveMetrics } from '../http/kit/http-server';
import { refusedCalls } from '../http/kit/refused-calls';
import { projectionProgress } from '../metrics/health';
import { measureRequests, measureStartup } from '../metrics/measured-ports';
import { startRetention } from '../postgres/outdated-rows';
import { createPostgresExportPolls } from '../postgres/postgres-export-polls';
import { raiseIdsAboveLog } from '../postgres/postgres-id-generator';
import { createPostgresTelemetryStore } from '../postgres/postgres-telemetry-store';
import { retry } from '../system/retry';
import { ShutdownSteps, type StartFailure } from '../system/shutdown-steps';
import { startJobs, startProcesses, startProjections } from './background';
import { startEmbeddedWorker } from './embedded-worker';
import { choosePorts, listen } from './listen';
import { openParts, type Parts } from './parts';
import { observePods, recoverEmbedded } from './recovery';
import { servePublicApi } from './serve-public-api';
import { internalUrl, type Settings } from './settings';
import { type Startup } from './startup';

export interface RunningSystem {
  readonly publicUrl: string;
  readonly internalUrl: string;
  /** Resolves with the reason when the system must stop. */
  readonly failed: Promise<string>;
  /** Stops everything it started, including pods and database; they resume at the next start. */
  stop(): Promise<void>;
}

/** Time limit to catch up with the log, before which the system does not answer. */
const CATCH_UP_MS = 3_600_000;

/**
 * Builds and starts the whole system on one machine. If a part fails, the earlier ones are closed.
 * `platformCheck` returns why a pod of a kind cannot run on this machine, or null.
 */
export const startSystem = async (
  settings: Settings,
  log: Logger,
  platformCheck: Startup['platformCheck'] = platformUnavailableReason,
): Promise<Either<StartFailure, RunningSystem>> => {
  const shutdownSteps = new ShutdownSteps();
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => (fail = resolve));
  const stop = (): Promise<void> =>
    shutdownSteps.closeAll((name, error) => log.error({ err: error }, `${name} did not close cleanly`));
  const startup = { settings, heldPorts: new Map(), waitsFor: new Map(), shutdownSteps, log, fail, platformCheck };
  const started = await open(startup).catch((error: unknown) => {
    log.error({ err: error }, 'the start failed');
    return left({ message: `rowgraph could not start: ${error instanceof Error ? error.message : String(error)}` });
  });
  if (isLeft(started)) {
    await stop();
    return started;
  }
  const { baseUrl } = started.right;
  return right({ publicUrl: baseUrl, internalUrl: internalUrl(started.right), failed, stop });
};

/** The settings with every port known. */
const open = async (startup: Startup): Promise<Either<StartFailure, Settings>> => {
  const settings = await choosePorts(startup);
  if (isLeft(settings)) return settings;
  const opened = await openParts({ ...startup, settings: settings.right });
  if (isLeft(opened)) return opened;
  const parts = opened.right;
  const readable = await openReadModels(parts);
  if (isLeft(readable)) return readable;
  await serveInternalApi(parts);
  await recoverEmbedded(parts);
  // Instances that restart must not be returned as running.
  const recovered = await catchUpWithLog(parts);
  if (isLeft(recovered)) return recovered;
  startWriters(parts);
  await servePublicApi(parts);
  return settings;
};

/** Starts the projections and waits until they are up to date. */
const openReadModels = async (parts: Parts): Promise<Either<StartFailure, void>> => {
  const { log, pool } = parts;
  await prepareProjections(pool, projections);
  startProjections(parts, ({ events }) => {
    if (events.some(becomesClaimable)) parts.worker.wake();
    if (events.some(({ type }) => type === 'JobTriggered')) parts.triggerSignal.notify();
    void parts.disk.onEvents(events);
  });
  const readable = await catchUpWithLog(parts);
  if (isLeft(readable)) return readable;
  const raised = await raiseIdsAboveLog(pool);
  if (raised.length > 0) {
    log.warn(
      { kinds: raised },
      'the log contains ids that the database has not generated: it was restored without the log, or the log was copied. New ids start above them',
    );
  }
  startRetention(pool, parts.shutdownSteps, log);
  return right(undefined);
};

const serveInternalApi = (parts: Parts): Promise<void> => {
  const { settings, log, pool, metrics } = parts;
  const app = internalApi(
    {
      ...parts,
      telemetry: createPostgresTelemetryStore(pool),
      polls: createPostgresExportPolls(pool),
      requestKeyOf: (pod) => requestKeyOf(parts.secret, pod),
      objectStore: parts.objects,
      onRunning: measureStartup(parts.store, metrics),
    },
    parts.identifyComponent,
    refusedCalls({
      perMinute: settings.refusedCallsPerMinute,
      addressOf: socketAddress,
      keyOf: (request) => request.get('Authorization') ?? null,
      note: (status) => metrics.refusedCalls.inc({ api: 'internal', status }),
    }),
    log,
    settings.eventStore.timeoutMs,
  );
  const listener = serveMetrics(measureRequests('internal', app, metrics), metrics);
  return listen('internal', app, parts, listener);
};

/** Starts the parts that write events: processes, the embedded worker, the watch on pods and background jobs. */
const startWriters = (parts: Parts): void => {
  const { settings, ports, changeCapacity, podRuntime, work, objects: objectStore } = parts;
  const { exportPlanner, instanceBaseUrl } = settings;
  void observePods(parts);
  startProcesses(parts, { ...ports, changeCapacity, podRuntime, work, objectStore, instanceBaseUrl, exportPlanner });
  if (settings.embeddedWorker) startEmbeddedWorker(parts);
  startJobs(parts);
};

/** Waits until the read models have reached the current head of the log. */
const catchUpWithLog = async (parts: Parts): Promise<Either<StartFailure, void>> => {
  const { store, catchUp, waitsFor, waitingReaders } = parts;
  const head = await retry(() => store.head(), { pausesMs: [250, 2_000], until: Date.now() + CATCH_UP_MS });
  if (isLeft(head)) return left({ message: `The event store could not be read: ${head.left.reason}` });
  waitsFor.set('projections', () => projectionProgress(catchUp, head.right, waitingReaders));
  return (await catchUp.waitFor(head.right, CATCH_UP_MS))
    ? right(undefined)
    : left({ message: `The read models were not up to date after ${CATCH_UP_MS / 60_000} minutes; see the log.` });
};
