import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type LocalContext } from '../cli/action';
import { type CliFailure, failed } from '../cli/failure';
import { DATABASE_URL_FILE } from './database';
import { readSettings } from './settings';

/** The address of the database of the system the settings speak of. */
export const findDatabase = (environment: LocalContext['environment']): Either<CliFailure, string> => {
  const settings = readSettings(environment);
  if (isLeft(settings)) return left(failed(...settings.left));
  const { databaseUrl, dataDirectory } = settings.right;
  if (databaseUrl !== null) return right(databaseUrl);
  const file = join(dataDirectory, DATABASE_URL_FILE);
  return existsSync(file)
    ? right(readFileSync(file, 'utf8').trim())
    : left(failed(`No system has run in ${dataDirectory}. Set ROWGRAPH_DATA_DIR to its folder.`));
};
