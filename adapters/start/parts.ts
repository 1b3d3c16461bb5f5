import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, type Right, right } from 'fp-ts/Either';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { type CommandPorts } from '../../commands/kit/command-context';
import { StreamCache } from '../../commands/kit/stream-cache';
import { mapLeft } from '../../domain/kernel/either';
import { createCatchUp } from '../../projections/catch-up';
import { openReadDatabase } from '../../queries/kit/database';
import { findInstanceWithAccess } from '../../queries/visible-instances';
import { signRequestsWith } from '../contracts/graph-pod/request-signature';
import { internalSecret } from '../filesystem/data-folder';
import { freeBytes } from '../filesystem/free-bytes';
import { prepareFolder } from '../filesystem/make-folder';
import { watchDisk } from '../filesystem/watch-disk';
import { signedTokens, signServiceToken } from '../http/internal/service-token';
import { createHttpPodClient } from '../http/pods/http-pod-client';
import { measureSystem } from '../metrics/measure-system';
import { measuredCatchUp, measuredEventStore, observeSteps, poolUse, readPoolUse } from '../metrics/measured-ports';
import { createMetrics } from '../metrics/metrics';
import { readConnectionTo } from '../postgres/connection';
import { openDatabaseClock } from '../postgres/database-clock';
import { cannotWrite, databaseErrorText, nextStepAfter, tryToWrite } from '../postgres/database-error';
import { lockDatabase, type LockHolder } from '../postgres/database-lock';
import { CONNECTIONS, type PoolOptions } from '../postgres/pool';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { leasePorts } from '../postgres/postgres-lease-store';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';
import { openObjectStore } from '../s3/open-object-store';
import { FeedSignal } from '../system/feed-signal';
import { type StartFailure } from '../system/shutdown-steps';
import { uuids } from '../system/uuids';
import { watchWrites } from '../system/write-watch';
import { openKubernetesPods } from './kubernetes-pods';
import { listenWhileStarting } from './listen';
import { followLog, openEventStore } from './open-event-store';
import { openMigratedDatabase } from './open-migrated-database';
import { type ChosenPodRuntime, localPods, podsElsewhere } from './pods';
import { openQueryEngine, openSchemaCache } from './query-engine';
import { type Startup } from './startup';
import { openTokenFiles } from './token-files';

/** The parts shared by the APIs, the processes and the background jobs. */
export type Parts = Readonly<Extract<Awaited<ReturnType<typeof openParts>>, Right<unknown>>['right']>;

/** Opens the stores and everything that does not need a read model. */
export const openParts = async (startup: Startup) => {
  const { settings, log } = startup;
  const chosen = await choosePodRuntime(startup);
  if (isLeft(chosen)) return chosen;
  const pods = chosen.right;
  const stores = await openStores(startup, pods);
  if (isLeft(stores)) return stores;
  const prepared = prepareFolders(startup);
  if (isLeft(prepared)) return prepared;
  const { pool, connectionString, eventLog, logId, db, writes } = stores.right;
  const clock = await openDatabaseClock(pool, startup);
  const objects = await openObjectStore(settings.s3, settings.objectStoreDirectory);
  const secret = settings.internalSecret ?? internalSecret(settings.dataDirectory);
  const sign = signRequestsWith(secret);
  const instanceIdOf = async (urlSlug: string) => (await findInstanceWithAccess(db, { url_slug: urlSlug }))?.id ?? null;
  const tokens = openTokenFiles(startup, (component) => signServiceToken(secret, component));
  const opened = await pods.open({ tokens, logId, instanceIdOf });
  if (isLeft(opened)) return opened;
  const { runtime: podRuntime, identifyPods } = opened.right;
  const catchUp = createCatchUp();
  const work = createPostgresProcessWork(pool, (message) => log.error(message));
  const metrics = createMetrics(
    () => measureSystem({ pool, store: eventLog.store, db, catchUp, podRuntime, work, clock }),
    eventLog.connectionCounts,
    { failures: writes.failures, freeBytes: () => freeBytes(settings.dataDirectory) },
    () => [poolUse('commands', pool), readPoolUse(db)],
  );
  const store = measuredEventStore(eventLog.store, metrics);
  const ids = createPostgresIdGenerator(pool);
  const observe = observeSteps(metrics);
  const ports: CommandPorts = { store, clock, ids, afterLostRace, streams: new StreamCache(), observe };
  const queryEngine = await openQueryEngine(startup);
  return right({
    ...startup,
    ...stores.right,
    /** Signs the tokens of workers and pods. */
    secret,
    tokens,
    /** The name of this control plane as the owner of leases in the shared database. */
    replica: `${hostname()}:${process.pid}:${uuids.secretUuid().slice(0, 8)}`,
    leases: leasePorts(pool, log),
    objects,
    store,
    ports,
    changeCapacity: capacityCommands(ports),
    catchUp: measuredCatchUp(catchUp, metrics),
    /** The readers of the log that wait for a newer version of rowgraph, with the reason. */
    waitingReaders: new Map<string, string>(),
    podRuntime,
    /** Identifies workers and pods. */
    identifyComponent: signedTokens(secret, identifyPods),
    /** Signs requests to pods. */
    sign,
    podClient: createHttpPodClient({ podRuntime, sign, log }),
    /** The base URL of instances; null if pods run elsewhere, so that each pod reports its address. */
    instanceBaseUrl: podRuntime.managesPods ? settings.instanceBaseUrl : null,
    queryEngine,
    schema: await openSchemaCache(connectionString, queryEngine, clock, startup),
    metrics,
    work,
    /** Announces new jobs to the embedded worker, once it runs. */
    worker: { wake: (): void => undefined },
    /** Announces that a job was triggered. */
    triggerSignal: new FeedSignal(),
    /** Announces events that processes listen to. */
    inputSignal: new FeedSignal(),
    /** Announces that the processes may have queued commands or set timers. */
    workSignal: new FeedSignal(),
  });
};

const MAX_PAUSE_MS = 20;

/** A random part of a time that doubles with each consecutive conflict: 2 ms after the first, at most 20 ms. */
const afterLostRace = (lost: number): Promise<void> => sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** lost));

/** The folders that can be outside of the data folder; there a new one may be a wrong path. */
const prepareFolders = ({ settings, log }: Startup): Either<StartFailure, void> => {
  const { dataDirectory, warehouseDirectory, objectStoreDirectory, s3 } = settings;
  const prepare = (setting: string, directory: string) =>
    prepareFolder(setting, directory, (message) => {
      if (dirname(directory) !== dataDirectory) log.warn(message);
    });
  const warehouse = prepare('ROWGRAPH_WAREHOUSE_DIR', warehouseDirectory);
  return isLeft(warehouse) || s3 !== null ? warehouse : prepare('ROWGRAPH_OBJECT_STORE_DIR', objectStoreDirectory);
};

/** Opens data folder, database, event store and read models. */
const openStores = async (startup: Startup, { isShared }: ChosenPodRuntime) => {
  const { settings, shutdownSteps } = startup;
  const log = (message: string): void => startup.log.warn(message);
  const writes = watchWrites(startup);
  const written = [settings.dataDirectory, ...(settings.s3 === null ? [settings.objectStoreDirectory] : [])];
  startup.waitsFor.set('database', () => 'not opened and migrated yet');
  const onServerError: PoolOptions['onServerError'] = (error, pool) => {
    if (cannotWrite(error)) writes.failed('database', databaseErrorText(error), () => tryToWrite(pool));
  };
  const database = await openMigratedDatabase(startup, { log, onServerError }, () => listenWhileStarting(startup));
  if (isLeft(database)) return database;
  const { pool, connectionString } = database.right;
  startup.waitsFor.delete('database');
  const mode = isShared ? 'shared' : 'exclusive';
  const locked = await lockDatabase(connectionString, mode, startup).then(
    (lock) => mapLeft(lock, isLocked),
    cannotLock,
  );
  if (isLeft(locked)) return locked;

  const db = openReadDatabase(readConnectionTo(connectionString), log, {
    ...CONNECTIONS.reads,
    connectTimeoutMs: settings.databaseConnectTimeoutMs,
  });
  shutdownSteps.add('read connections', () => db.destroy());
  const opened = await openEventStore(settings.eventStore, database.right, log);
  if (isLeft(opened)) return opened;
  const eventLog = opened.right;
  shutdownSteps.add('event store', () => eventLog.close());
  const followed = await followLog(pool, eventLog, startup);
  if (isLeft(followed)) return followed;
  return right({
    pool,
    connectionString,
    eventLog,
    logId: followed.right,
    db,
    writes,
    disk: watchDisk(written, writes),
  });
};

const cannotLock = (error: unknown): Either<StartFailure, never> =>
  left({ message: `The database could not be locked: ${String(error)}. ${nextStepAfter(error)}.` });

/**
 * Control planes without their own pods share the lock; one that runs pods would treat the pods of another as orphans.
 */
const isLocked = ({ name, since }: LockHolder): StartFailure => ({
  message: `Another control plane or a rowgraph command uses this database: ${name}, since ${since.toISOString()}. A control plane that runs pods as local processes (ROWGRAPH_POD_RUNTIME=process) must be the only one. Stop the other one, or set ROWGRAPH_POD_RUNTIME=none for all and run the pods elsewhere; see docs/operations/runbooks/replicas.md.`,
});

/** The configured runtime. */
const choosePodRuntime = async (startup: Startup): Promise<Either<StartFailure, ChosenPodRuntime>> => {
  const { kubernetes, podRuntime } = startup.settings;
  if (kubernetes !== null) return openKubernetesPods(kubernetes, startup);
  return right(podRuntime === 'none' ? podsElsewhere : localPods(startup));
};
