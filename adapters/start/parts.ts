import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { capacityCommands, type ChangeCapacity } from '../../commands/capacity/reserve-slot';
import { type CommandPorts } from '../../commands/kit/command-context';
import { RecentStreams } from '../../commands/kit/recent-streams';
import { type EventStore } from '../../domain/ports/event-store';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type CatchUp, createCatchUp } from '../../projections/catch-up';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { internalSecret } from '../filesystem/data-folder';
import { FilesystemObjectStore } from '../filesystem/filesystem-object-store';
import { measureSystem } from '../metrics/measure-system';
import { measuredCatchUp, measuredEventStore } from '../metrics/measured-ports';
import { createMetrics, type LogTroubles, type Metrics } from '../metrics/metrics';
import { lockDatabase, type LockHolder } from '../postgres/database-lock';
import { replicaName } from '../postgres/postgres-lease-store';
import { CONNECTIONS, type PoolOptions } from '../postgres/pool';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';
import { cannotWrite, troubleOf, tryToWrite } from '../postgres/trouble-of';
import { type StartFailure } from '../system/closers';
import { FeedSignal } from '../system/feed-signal';
import { systemClock } from '../system/system-clock';
import { uuids } from '../system/uuids';
import { watchWrites, type WriteWatch } from '../system/write-watch';
import { followLog } from './follow-log';
import { tryPorts } from './listen';
import { openEventStore } from './open-event-store';
import { openMigratedDatabase } from './open-migrated-database';
import { openPods, type Pods } from './pods';
import { openQueryEngine } from './query-engine';
import { type OpenedSchemaCache, openSchemaCache } from './schema-cache';
import { type Startup } from './startup';

/** What outlives the system. */
interface Storage {
  /** Signs the tokens of workers and pods. */
  readonly secret: string;
  /** Names this control plane among those on the same database. */
  readonly replica: string;
  readonly connectionString: string;
  readonly pool: Pool;
  readonly store: EventStore;
  /** What the connection to the log has been through. */
  readonly logTroubles: LogTroubles;
  readonly db: ReadDatabase;
  readonly objects: FilesystemObjectStore;
  readonly writes: WriteWatch;
}

/** What the programs of the control plane share: the APIs, the processes and the background jobs. */
export interface Parts extends Storage {
  readonly ports: CommandPorts;
  readonly changeCapacity: ChangeCapacity;
  readonly catchUp: CatchUp;
  readonly pods: Pods;
  readonly queryEngine: EngineInspector;
  readonly schema: OpenedSchemaCache;
  readonly metrics: Metrics;
  /** Announces that a job was triggered. */
  readonly triggerSignal: FeedSignal;
  /** Announces events that processes listen to. */
  readonly inputSignal: FeedSignal;
  /** Announces that the processes may have queued commands or set timers. */
  readonly workSignal: FeedSignal;
}

/** Opens the stores and everything that needs no read model yet. */
export const openParts = async (
  platformCheck: Pods['unavailableReason'],
  startup: Startup,
): Promise<Either<StartFailure, Parts>> => {
  const storage = await openStorage(startup);
  if (isLeft(storage)) return storage;
  const { pool, db, secret, objects, writes } = storage.right;
  const catchUp = createCatchUp();
  const pods = await openPods({ secret, storageRoot: objects.root }, platformCheck, startup);
  const work = createPostgresProcessWork(pool, (message) => startup.log.error(message));
  const metrics = createMetrics(
    () => measureSystem({ pool, store: storage.right.store, db, catchUp, podRuntime: pods.runtime, work }),
    storage.right.logTroubles,
    () => writes.failures(),
  );
  const store = measuredEventStore(storage.right.store, metrics);
  const ids = createPostgresIdGenerator(pool);
  const ports = { store, clock: systemClock, ids, afterLostRace, recent: new RecentStreams() };
  const queryEngine = openQueryEngine(startup);
  return right({
    ...storage.right,
    store,
    ports,
    changeCapacity: capacityCommands(ports),
    catchUp: measuredCatchUp(catchUp, metrics),
    pods,
    queryEngine,
    schema: await openSchemaCache(storage.right.connectionString, queryEngine, startup),
    metrics,
    triggerSignal: new FeedSignal(),
    inputSignal: new FeedSignal(),
    workSignal: new FeedSignal(),
  });
};

const MAX_PAUSE_MS = 20;

/** A random part of a time that doubles with every race lost in a row: 2 ms after the first, 20 ms at most. */
const afterLostRace = (lost: number): Promise<void> => sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** lost));

/** Opens data folder, database with event store and read models, and object store. */
const openStorage = async (startup: Startup): Promise<Either<StartFailure, Storage>> => {
  const { settings, closers } = startup;
  const log = (message: string): void => startup.log.warn(message);
  const writes = watchWrites(startup);
  const onServerError: PoolOptions['onServerError'] = (error, pool) => {
    if (cannotWrite(error)) writes.failed('database', troubleOf(error), () => tryToWrite(pool));
  };
  const database = await openMigratedDatabase(startup, { log, onServerError }, tryPorts);
  if (isLeft(database)) return database;
  const { pool, connectionString } = database.right;
  const locked = await lockDatabase(connectionString, settings.podRuntime === 'none' ? 'shared' : 'exclusive', startup);
  if (isLeft(locked)) return left(isLocked(locked.left));

  const db = openReadDatabase(connectionString, log, {
    ...CONNECTIONS.reads,
    connectTimeoutMs: settings.databaseConnectTimeoutMs,
  });
  closers.add('read connections', () => db.destroy());
  const opened = openEventStore(settings.eventStore, { pool, connectionString }, log);
  if (isLeft(opened)) return opened;
  closers.add('event store', () => opened.right.close());
  const followed = await followLog(pool, opened.right, startup);
  if (isLeft(followed)) return followed;
  return right({
    secret: settings.internalSecret ?? internalSecret(settings.dataDirectory),
    replica: replicaName(uuids),
    connectionString,
    pool,
    store: opened.right.store,
    logTroubles: opened.right.troubles,
    db,
    objects: new FilesystemObjectStore(settings.objectStoreDirectory),
    writes,
  });
};

/** Control planes with pods elsewhere share the lock; one that runs pods would take the pods of another for strays. */
const isLocked = ({ name, since }: LockHolder): StartFailure => ({
  message: `Another control plane or a rowgraph command uses this database: ${name}, since ${since.toISOString()}. A control plane that runs pods as local processes (ROWGRAPH_POD_RUNTIME=process) must be the only one. Stop the other one, or set ROWGRAPH_POD_RUNTIME=none for all and run the pods elsewhere; see docs/runbooks/replicas.md.`,
});
