import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { retry } from '../system/retry';
import { type ShutdownSteps, type StartFailure } from '../system/shutdown-steps';
import { startPostgres } from './postgres-server';

/**
 * File for tools with the connection string of the embedded database, including the password; readable by the owner
 * only.
 */
export const DATABASE_URL_FILE = 'database-url';

/** Starts the embedded server and restarts it after an exit; returns its connection string. */
export const startSupervisedPostgres = async (
  folder: string,
  { shutdownSteps, log }: { readonly shutdownSteps: ShutdownSteps; readonly log: Logger },
): Promise<Either<StartFailure, string>> => {
  const options = {
    dataDirectory: join(folder, 'postgres'),
    log: (line: string) => log.debug({ part: 'postgres' }, line),
  };
  let server = await startPostgres(options);
  if (isLeft(server)) return server;
  const { connectionString } = server.right;
  writeFileSync(join(folder, DATABASE_URL_FILE), connectionString, { mode: 0o600 });

  const stopping = new AbortController();
  let reviving: Promise<unknown> = Promise.resolve();
  const restart = async (): Promise<Either<string, void>> => {
    server = await startPostgres(options);
    if (isLeft(server)) return left(server.left.message);
    if (server.right.connectionString === connectionString) return right(watch());
    // All connections use the old port: wait until it is free again.
    await server.right.stop();
    writeFileSync(join(options.dataDirectory, 'port'), new URL(connectionString).port);
    return left('another program has taken its port');
  };
  const onFailure = (reason: string): void =>
    log.error({ part: 'postgres', reason }, 'the embedded database does not start again');
  const watch = (): void => {
    if (isLeft(server)) return;
    server.right.onExit((reason) => {
      if (stopping.signal.aborted) return;
      log.error({ part: 'postgres', reason }, 'the embedded database ended; it is started again');
      reviving = retry(restart, { pausesMs: [100, 5_000], signal: stopping.signal, onFailure });
    });
  };
  watch();
  shutdownSteps.add('embedded database', async () => {
    stopping.abort();
    await reviving;
    if (!isLeft(server)) await server.right.stop();
  });
  return right(connectionString);
};
