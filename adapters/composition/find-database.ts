import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, failed } from '../cli/failure';
import { createPool } from '../postgres/pool';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { DATABASE_URL_FILE } from './database';
import { readSettings } from './settings';

/** The address of the database of the system the settings speak of. */
const findDatabase = (environment: LocalContext['environment']): Either<CliFailure, string> => {
  const settings = readSettings(environment);
  if (isLeft(settings)) return left(failed(...settings.left));
  const { databaseUrl, dataDirectory } = settings.right;
  if (databaseUrl !== null) return right(databaseUrl);
  const file = join(dataDirectory, DATABASE_URL_FILE);
  return existsSync(file)
    ? right(readFileSync(file, 'utf8').trim())
    : left(failed(`No system has run in ${dataDirectory}. Set ROWGRAPH_DATA_DIR to its folder.`));
};

/** Opens the event log of that system for one command; `complaint` says what a thrown error means. */
export const withEventStore = async (
  environment: LocalContext['environment'],
  statementTimeoutMs: number,
  complaint: (reason: string) => string,
  use: (pool: Pool, store: ReturnType<typeof createPostgresEventStore>) => Outcome,
): Outcome => {
  const url = findDatabase(environment);
  if (isLeft(url)) return url;
  const pool = createPool({ connectionString: url.right, statementTimeoutMs });
  const store = createPostgresEventStore({ pool, connectionString: url.right });
  try {
    return await use(pool, store);
  } catch (error) {
    return left(failed(complaint(error instanceof Error ? error.message : String(error))));
  } finally {
    await store.close();
    await pool.end();
  }
};
