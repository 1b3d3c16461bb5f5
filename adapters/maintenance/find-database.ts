import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type EventStore } from '../../domain/ports/event-store';
import { dropAbandonedReplays } from '../../projections/replay-schema';
import { type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, failed } from '../cli/failure';
import { DATABASE_URL_FILE } from '../embedded/supervised-postgres';
import { verifyLog } from '../postgres/followed-log';
import { createPool, MAINTENANCE } from '../postgres/pool';
import { openEventStore } from '../start/open-event-store';
import { readSettings, type Settings } from '../start/settings';

/** The connection string of the database in the settings. */
export const findDatabase = ({
  databaseUrl,
  dataDirectory,
}: Pick<Settings, 'databaseUrl' | 'dataDirectory'>): Either<CliFailure, string> => {
  if (databaseUrl !== null) return right(databaseUrl);
  const file = join(dataDirectory, DATABASE_URL_FILE);
  if (!existsSync(file))
    return left(failed(`No system has run in ${dataDirectory}. Set ROWGRAPH_DATA_DIR to its folder.`));
  try {
    return right(readFileSync(file, 'utf8').trim());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left(failed(`Cannot read ${file}: ${reason}.`, 'Run this as the user of the server.'));
  }
};

/**
 * Opens the event log of that system for one command, if the read models follow it; `problem` explains thrown errors.
 */
export const withEventStore = async (
  environment: LocalContext['environment'],
  statementTimeoutMs: number,
  problem: (reason: string) => string,
  use: (pool: Pool, store: EventStore, settings: Settings) => Outcome,
): Outcome => {
  const settings = readSettings(environment);
  if (isLeft(settings)) return left(failed(...settings.left));
  const url = findDatabase(settings.right);
  if (isLeft(url)) return url;
  const connectionString = url.right;
  const pool = createPool({ connectionString, ...MAINTENANCE, statementTimeoutMs });
  const opened = await openEventStore(settings.right.eventStore, { pool, connectionString }, () => undefined);
  try {
    if (isLeft(opened)) return left(failed(opened.left.message));
    const verified = await verifyLog(pool, opened.right);
    if (isLeft(verified)) {
      if (verified.left.kind === 'refused') return left(failed(verified.left.message));
      return left(failed(problem(`${opened.right.name}: ${verified.left.reason}`)));
    }
    await dropAbandonedReplays(pool);
    return await use(pool, opened.right.store, settings.right);
  } catch (error) {
    return left(failed(problem(error instanceof Error ? error.message : String(error))));
  } finally {
    if (!isLeft(opened)) await opened.right.close();
    await pool.end();
  }
};
