import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { startPostgres } from '../embedded/postgres-server';
import { retry } from '../system/retry';
import { type StartFailure, type Startup } from './startup';

/** Where tools find the embedded database: its address with the password, readable by the owner only. */
export const DATABASE_URL_FILE = 'database-url';

/** The address of the database: the configured one, or that of the embedded server, which is kept running. */
export const openDatabase = async ({ settings, closers, log }: Startup): Promise<Either<StartFailure, string>> => {
  if (settings.databaseUrl !== null) return right(settings.databaseUrl);
  const options = {
    dataDirectory: join(settings.dataDirectory, 'postgres'),
    log: (line: string) => log.debug({ part: 'postgres' }, line),
  };
  let server = await startPostgres(options);
  if (isLeft(server)) return server;
  const { connectionString } = server.right;
  writeFileSync(join(settings.dataDirectory, DATABASE_URL_FILE), connectionString, { mode: 0o600 });

  const stopping = new AbortController();
  let reviving: Promise<unknown> = Promise.resolve();
  const restart = async (): Promise<Either<string, void>> => {
    server = await startPostgres(options);
    if (isLeft(server)) return left(server.left.message);
    if (server.right.connectionString === connectionString) return right(watch());
    // Everything is connected to the old port: wait until it is free again.
    await server.right.stop();
    return left('another program has taken its port');
  };
  const onFailure = (reason: string): boolean => {
    log.error({ part: 'postgres', reason }, 'the embedded database does not start again');
    return true;
  };
  const watch = (): void => {
    if (isLeft(server)) return;
    server.right.onExit((reason) => {
      if (stopping.signal.aborted) return;
      log.error({ part: 'postgres', reason }, 'the embedded database ended; it is started again');
      reviving = retry(restart, { firstPauseMs: 100, maxPauseMs: 5_000, signal: stopping.signal, onFailure });
    });
  };
  watch();
  closers.add('embedded database', async () => {
    stopping.abort();
    await reviving;
    if (!isLeft(server)) await server.right.stop();
  });
  return right(connectionString);
};
