import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { dropAbandonedReplays } from '../../projections/replay-schema';
import { startSupervisedPostgres } from '../embedded/supervised-postgres';
import { lockDataFolder } from '../filesystem/data-folder';
import { sharesConnections } from '../postgres/connection';
import { nextStepAfter } from '../postgres/database-error';
import { migrate } from '../postgres/migrate';
import { createPool, type PoolOptions } from '../postgres/pool';
import { releaseLeases } from '../postgres/postgres-process-work';
import { type StartFailure } from '../system/shutdown-steps';
import { type Database } from './open-event-store';
import { type Startup } from './startup';

const POOLED =
  'ROWGRAPH_DATABASE_URL leads to a pooler in transaction or statement mode, where one connection is shared by several clients. rowgraph needs named statements, LISTEN and locks of a session: set pool_mode = session, or use the address of PostgreSQL itself (docs/adr/0054).';

type Opening = Pick<Startup, 'settings' | 'shutdownSteps' | 'log'> & Partial<Pick<Startup, 'waitsFor'>>;

const blocked = (reason: string, { log, waitsFor }: Opening): void => {
  log.warn(`${reason}; trying again`);
  waitsFor?.set('database', () => reason);
};

/** Locks the data folder, and opens and migrates its database after `check` has succeeded. */
export const openMigratedDatabase = async (
  startup: Opening,
  options: Omit<PoolOptions, 'connectionString'>,
  check: () => Promise<Either<StartFailure, void>> = () => Promise.resolve(right(undefined)),
): Promise<Either<StartFailure, Database>> => {
  const { settings, shutdownSteps } = startup;
  const folder = await lockDataFolder(settings.dataDirectory);
  if (isLeft(folder)) return folder;
  shutdownSteps.add('data folder', folder.right.release);
  const checked = await check();
  if (isLeft(checked)) return checked;
  const database =
    settings.databaseUrl === null
      ? await startSupervisedPostgres(settings.dataDirectory, startup)
      : right(settings.databaseUrl);
  if (isLeft(database)) return database;
  const connectionString = database.right;
  if (settings.databaseUrl !== null && (await sharesConnections(connectionString).catch(() => false))) {
    return left({ message: POOLED });
  }
  const pool = createPool({ connectTimeoutMs: settings.databaseConnectTimeoutMs, ...options, connectionString });
  shutdownSteps.add('database connections', () => pool.end());
  const migrated = await migrate(pool, { onBlocked: (reason) => blocked(reason, startup) });
  if (isLeft(migrated)) {
    const { message, error } = migrated.left;
    return left({ message: settings.databaseUrl === null ? message : `${message}. ${nextStepAfter(error)}.` });
  }
  await dropAbandonedReplays(pool);
  // Only this process can hold leases in an embedded database.
  if (settings.databaseUrl === null) await releaseLeases(pool);
  return right({ pool, connectionString });
};
