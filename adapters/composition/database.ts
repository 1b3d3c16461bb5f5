import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { startPostgres } from '../embedded/postgres-server';
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

  let stopping = false;
  let reviving: Promise<void> = Promise.resolve();
  const revive = async (): Promise<void> => {
    for (let delay = 100; !stopping; delay = Math.min(delay * 2, 5000)) {
      server = await startPostgres(options);
      if (!isLeft(server) && server.right.connectionString === connectionString) return watch();
      // Everything is connected to the old port: wait until it is free again.
      const reason = isLeft(server) ? server.left.message : 'another program has taken its port';
      if (!isLeft(server)) await server.right.stop();
      log.error({ part: 'postgres', reason }, 'the embedded database does not start again');
      await sleep(delay);
    }
  };
  const watch = (): void => {
    if (isLeft(server)) return;
    server.right.onExit((reason) => {
      if (stopping) return;
      log.error({ part: 'postgres', reason }, 'the embedded database ended; it is started again');
      reviving = revive();
    });
  };
  watch();
  closers.add('embedded database', async () => {
    stopping = true;
    await reviving;
    if (!isLeft(server)) await server.right.stop();
  });
  return right(connectionString);
};
