import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { rebuildProjection } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { createPool } from '../postgres/pool';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { DATABASE_URL_FILE } from './database';
import { readSettings } from './settings';

const READ_MODELS = projections.filter(({ tables }) => tables !== '');
const USAGE = `Usage: npm run cli -- rebuild <read model | all>

Fills a read model again from the log while the present one goes on serving, then switches to it. The system has to be
running; ROWGRAPH_DATA_DIR or ROWGRAPH_DATABASE_URL tell which one. Read models: ${READ_MODELS.map(({ name }) => name).join(', ')}.
`;

const main = async ([command, name]: readonly string[]): Promise<number> => {
  const chosen = READ_MODELS.filter((one) => name === 'all' || one.name === name);
  if (command !== 'rebuild' || chosen.length === 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const url = findDatabase();
  if (isLeft(url)) {
    process.stderr.write(`${url.left}\n`);
    return 1;
  }
  const pool = createPool({ connectionString: url.right, statementTimeoutMs: 0 });
  const store = createPostgresEventStore({ pool, connectionString: url.right });
  try {
    for (const projection of chosen) {
      const startedAt = performance.now();
      const events = await rebuildProjection(pool, store, projection);
      const seconds = (performance.now() - startedAt) / 1000;
      process.stdout.write(`${projection.name}: ${events} events in ${seconds.toFixed(1)} s\n`);
    }
    return 0;
  } finally {
    await store.close();
    await pool.end();
  }
};

const findDatabase = (): Either<string, string> => {
  const settings = readSettings(process.env);
  if (isLeft(settings)) return left(settings.left.join('\n'));
  const { databaseUrl, dataDirectory } = settings.right;
  if (databaseUrl !== null) return right(databaseUrl);
  const file = join(dataDirectory, DATABASE_URL_FILE);
  return existsSync(file)
    ? right(readFileSync(file, 'utf8').trim())
    : left(`No system has run in ${dataDirectory}. Set ROWGRAPH_DATA_DIR to its folder.`);
};

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`The rebuild failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
