import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { type EventStore } from '../../domain/ports/event-store';
import { type CatchUp, createCatchUp } from '../../projections/catch-up';
import { projections } from '../../projections/registry';
import { exposeProjections, prepareProjections } from '../../projections/runner';
import { platformUnavailableReason } from '../contracts/graph-pod/platform';
import { openReadDatabase } from '../../queries/kit/database';
import { createFilesystemObjectStore } from '../filesystem/filesystem-object-store';
import { instanceIngress } from '../http/ingress/instance-ingress';
import { internalApi } from '../http/internal/internal-api';
import { createHttpPodClient } from '../http/pods/http-pod-client';
import { apiKeyIdentity, trustedEdge } from '../http/public/identity';
import { publicApi } from '../http/public/public-api';
import { measuredEventStore } from '../metrics/measured-event-store';
import { measureRequests, serveMetrics } from '../metrics/measure-requests';
import { createMetrics } from '../metrics/metrics';
import { migrate } from '../postgres/migrate';
import { createPool } from '../postgres/pool';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { createPostgresIdempotencyStore } from '../postgres/postgres-idempotency-store';
import { createPostgresIdGenerator, raiseIdsAboveLog } from '../postgres/postgres-id-generator';
import { createPostgresParkedInputs } from '../postgres/postgres-parked-inputs';
import { createPostgresProcessWork, releaseLeases } from '../postgres/postgres-process-work';
import { createPostgresProgressJournal } from '../postgres/postgres-progress-journal';
import { createPostgresTelemetryStore } from '../postgres/postgres-telemetry-store';
import { FeedNews } from '../system/feed-news';
import { systemClock } from '../system/system-clock';
import { uuids } from '../system/uuids';
import { backgroundJobs } from './background-jobs';
import { startProcesses, startProjections } from './background';
import { Closers } from './closers';
import { internalSecret, lockDataFolder } from './data-folder';
import { openDatabase } from './database';
import { startEmbeddedWorker } from './embedded-worker';
import { startJobs } from './jobs';
import { guardLocalPods } from './guard-local-pods';
import { replicaName } from './leases';
import { listen } from './listen';
import { packageVersion } from '../system/package-root';
import { componentPings } from './component-pings';
import { measureSystem } from './measure-system';
import { openParkedEvents } from './parked-events';
import { openPods, type Pods, reportLostPods } from './pods';
import { openQueryEngine } from './query-engine';
import { readiness } from './readiness';
import { recoverEmbedded } from './recovery';
import { openSchemaCache } from './schema-cache';
import { INGRESS_PATH, internalUrl, type Settings } from './settings';
import { startTidying } from './tidying';

export interface RunningSystem {
  readonly publicUrl: string;
  readonly internalUrl: string;
  /** Resolves with the reason when it cannot go on and has to be stopped. */
  readonly failed: Promise<string>;
  /** Ends everything it started, pods and database included; they go on at the next start. */
  stop(): Promise<void>;
}

type Failure = { readonly message: string };

/** Catching up with a long log takes its time; the system does not answer before. */
const CATCH_UP_MS = 3_600_000;

/**
 * Builds and starts the whole system on one machine. What was opened is closed again when a later part fails.
 * `platformCheck` tells why no pod of a kind can run on this machine, null when one can.
 */
export const startSystem = async (
  settings: Settings,
  log: Logger,
  platformCheck: Pods['unavailableReason'] = platformUnavailableReason,
): Promise<Either<Failure, RunningSystem>> => {
  const closers = new Closers();
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => (fail = resolve));
  const stop = (): Promise<void> =>
    closers.closeAll((name, error) => log.error({ err: error }, `${name} did not close cleanly`));
  const started = await open(settings, platformCheck, fail, closers, log).catch((error: unknown) => {
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
  settings: Settings,
  platformCheck: Pods['unavailableReason'],
  fail: (reason: string) => void,
  closers: Closers,
  log: Logger,
): Promise<Either<Failure, void>> => {
  const folder = lockDataFolder(settings.dataDirectory);
  if (isLeft(folder)) return folder;
  closers.add('data folder', folder.right.release);
  const secret = settings.internalSecret ?? internalSecret(settings.dataDirectory);

  const connectionString = await openDatabase(settings, closers, log);
  if (isLeft(connectionString)) return connectionString;
  const pool = createPool({ connectionString: connectionString.right, log: (message) => log.warn(message) });
  closers.add('database connections', () => pool.end());
  const migrated = await migrate(pool);
  if (isLeft(migrated)) return migrated;
  // With a database of its own there is nobody else who could hold one.
  if (settings.databaseUrl === null) await releaseLeases(pool);
  const replica = replicaName(uuids);
  const { podRuntime } = settings;
  const guarded = await guardLocalPods({ name: replica, podRuntime, onLost: fail }, pool, closers, log);
  if (isLeft(guarded)) return guarded;
  await raiseIdsAboveLog(pool);
  const db = openReadDatabase(connectionString.right, (message) => log.warn(message));
  closers.add('read connections', () => db.destroy());
  const postgresStore = createPostgresEventStore({
    pool,
    connectionString: connectionString.right,
    log: (message) => log.warn(message),
  });
  closers.add('event store', () => postgresStore.close());

  const catchUp = createCatchUp();
  const storage = createFilesystemObjectStore(settings.objectStoreDirectory);
  const pods = await openPods(settings, secret, storage.root, platformCheck, closers, log);
  const work = createPostgresProcessWork(pool, (message) => log.error(message));
  const metrics = createMetrics(() => measureSystem({ pool, db, catchUp, podRuntime: pods.runtime, work }));
  const store = measuredEventStore(postgresStore, metrics);

  const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
  const changeCapacity = capacityCommands(ports);
  const queryEngine = openQueryEngine(settings, log);
  const schema = await openSchemaCache(settings, connectionString.right, queryEngine, closers, log);
  const worker = { wake: (): void => undefined };
  const triggerNews = new FeedNews();

  await prepareProjections(pool, projections);
  startProjections(
    {
      pool,
      store,
      catchUp,
      onPage: (page) => {
        if (page.events.some(({ type }) => type === 'ExportJobPlanned' || type === 'ExportJobLeaseExpired'))
          worker.wake();
        if (page.events.some(({ type }) => type === 'JobTriggered')) triggerNews.announce();
      },
    },
    closers,
    log,
  );
  const readable = await catchUpWithLog(store, catchUp);
  if (isLeft(readable)) return readable;
  await exposeProjections(pool, projections);
  startTidying(pool, closers, log);

  const telemetry = createPostgresTelemetryStore(pool);
  const internal = internalApi({ ports, db, catchUp, telemetry }, secret, log);
  const internalListening = await listen(
    'internal API',
    { app: internal, listener: serveMetrics(measureRequests('internal', internal, metrics), metrics) },
    settings.internalHost,
    settings.internalPort,
    'ROWGRAPH_INTERNAL',
    closers,
  );
  if (isLeft(internalListening)) return internalListening;

  await recoverEmbedded(ports, db, settings, log);
  // What is restarted must not be read as running.
  const recovered = await catchUpWithLog(store, catchUp);
  if (isLeft(recovered)) return recovered;
  reportLostPods(pods.runtime, ports, closers, log);
  const processPorts = {
    ...ports,
    changeCapacity,
    podRuntime: pods.runtime,
    objectStore: storage,
    instanceBaseUrl: settings.podRuntime === 'none' ? null : settings.instanceBaseUrl,
    exportPlanner: settings.exportPlanner,
    memoryFloorGib: { graphdb_a: 0, graphdb_b: 0 },
  };
  startProcesses(pool, processPorts, catchUp, closers, log);
  if (settings.embeddedWorker) {
    worker.wake = startEmbeddedWorker(settings, secret, storage.root, { pool, ports, db }, closers, log);
  }

  const usesKeys = settings.identityMode === 'api-key';
  const identify = usesKeys ? apiKeyIdentity(db, systemClock) : trustedEdge(settings.edgeToken);
  const ingress = instanceIngress({
    portOf: pods.portOf,
    authenticate: async (request) => {
      const username = await identify(request);
      return isLeft(username) ? null : username.right;
    },
    log,
  });
  const podClient = createHttpPodClient({ portOf: pods.portOf, log });
  const ownPods = settings.podRuntime === 'none' ? null : pods.runtime;
  const jobs = backgroundJobs(
    { pool, db, ports, changeCapacity, podRuntime: ownPods, podClient, schemaCacheJob: schema.refresh.job },
    log,
  );
  startJobs({ replica, pool, ports, news: triggerNews, jobs, intervals: settings.jobIntervals }, closers, log);
  const api = publicApi(
    {
      ports,
      db,
      catchUp,
      changeCapacity,
      podClient,
      unavailableReason: pods.unavailableReason,
      progressJournal: createPostgresProgressJournal(pool),
      givesFirstKey: usesKeys,
      cleanup: { testUsers: settings.e2eTestUsers, podRuntime: pods.runtime, objectStore: storage },
      pings: componentPings(pool, ownPods, queryEngine),
      schema: { engine: queryEngine, allowList: settings.allowedCatalogs, refresh: () => schema.start() },
      jobIntervals: settings.jobIntervals,
      parkedEvents: openParkedEvents(pool, db, { ...ports, parked: createPostgresParkedInputs(pool) }),
      readiness: () => readiness(pool, store, catchUp),
    },
    {
      idempotency: createPostgresIdempotencyStore(pool),
      identify,
      version: packageVersion,
      baseUrl: settings.baseUrl,
      ingress: settings.podRuntime === 'process' ? { path: INGRESS_PATH, handler: ingress } : null,
      log,
    },
  );
  return listen(
    'public API',
    { app: api, listener: measureRequests('public', api, metrics) },
    settings.host,
    settings.port,
    'ROWGRAPH',
    closers,
  );
};

/** Waits until the read models have seen everything that is in the log now. */
const catchUpWithLog = async (store: EventStore, catchUp: CatchUp): Promise<Either<Failure, void>> => {
  const head = await store.head();
  if (isLeft(head)) return left({ message: 'The event store could not be read.' });
  return (await catchUp.waitFor(head.right, CATCH_UP_MS))
    ? right(undefined)
    : left({ message: `The read models were not up to date after ${CATCH_UP_MS / 60_000} minutes; see the log.` });
};
