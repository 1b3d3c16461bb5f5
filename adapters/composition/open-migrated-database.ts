import { type Either, isLeft, right } from 'fp-ts/Either';
import { migrate } from '../postgres/migrate';
import { createPool, type PoolOptions } from '../postgres/pool';
import { releaseLeases } from '../postgres/postgres-process-work';
import { lockDataFolder } from './data-folder';
import { openDatabase } from './database';
import { type Database } from './open-event-store';
import { type StartFailure, type Startup } from './startup';

/** Takes the data folder, and opens its database brought up to date. */
export const openMigratedDatabase = async (
  startup: Startup,
  options: Omit<PoolOptions, 'connectionString'>,
): Promise<Either<StartFailure, Database>> => {
  const { settings, closers } = startup;
  const folder = lockDataFolder(settings.dataDirectory);
  if (isLeft(folder)) return folder;
  closers.add('data folder', folder.right.release);
  const database = await openDatabase(startup);
  if (isLeft(database)) return database;
  const connectionString = database.right;
  const pool = createPool({ ...options, connectionString });
  closers.add('database connections', () => pool.end());
  const migrated = await migrate(pool);
  if (isLeft(migrated)) return migrated;
  // With a database of its own there is nobody else who could hold one.
  if (settings.databaseUrl === null) await releaseLeases(pool);
  return right({ pool, connectionString });
};
