import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type EventStore } from '../../domain/ports/event-store';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { FilesystemObjectStore } from '../filesystem/filesystem-object-store';
import { type LogTroubles } from '../metrics/metrics';
import { cannotWrite, troubleOf } from '../postgres/trouble-of';
import { tryToWrite } from '../postgres/write-trial';
import { CONNECTIONS, type PoolOptions } from '../postgres/pool';
import { uuids } from '../system/uuids';
import { internalSecret } from '../filesystem/data-folder';
import { followLog } from './follow-log';
import { lockDatabase, type LockHolder } from '../postgres/database-lock';
import { replicaName } from '../postgres/leases';
import { tryPorts } from './listen';
import { openMigratedDatabase } from './open-migrated-database';
import { openEventStore } from './open-event-store';
import { type StartFailure } from '../system/closers';
import { type Startup } from './startup';
import { watchWrites, type WriteWatch } from '../system/write-watch';

export interface Storage {
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

/** Opens what outlives the system: data folder, database with event store and read models, and object store. */
export const openStorage = async (startup: Startup): Promise<Either<StartFailure, Storage>> => {
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
