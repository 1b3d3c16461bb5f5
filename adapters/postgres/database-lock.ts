import { hostname } from 'node:os';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Client } from 'pg';
import { type Logger } from 'pino';
import { retry } from '../system/retry';
import { type ShutdownSteps } from '../system/shutdown-steps';
import { CONNECT_TIMEOUT_MS, connectionTo, endConnection, prepareSession } from './connection';

/** `exclusive`: no other process may use the database; `shared`: others with a shared lock may. */
export type LockMode = 'exclusive' | 'shared';

/** Another process that has the lock, such as `process 7 on host`, and the time at which it connected. */
export interface LockHolder {
  readonly name: string;
  readonly since: Date;
}

const LOCK_KEY = 7020170613;
const FUNCTIONS = { exclusive: 'pg_try_advisory_lock', shared: 'pg_try_advisory_lock_shared' };
/** Time for PostgreSQL to detect the closed connection of a killed process. */
const TRY_FOR_MS = 2_000;
const PAUSES = { pausesMs: [100, 100] } as const;
/** A lost machine loses the lock after a minute; a frozen process keeps it. */
const KEEPALIVE = 'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3';
const HOLDER = `
  SELECT application_name AS name, backend_start AS since FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = ${Math.floor(LOCK_KEY / 2 ** 32)} AND objid = ${LOCK_KEY % 2 ** 32} AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()
  ORDER BY since LIMIT 1`;

/**
 * Locks a database for this process until the shutdown steps run, on a dedicated connection. Returns the holder of a
 * lock that excludes this one. If the connection is lost, it is opened and locked again; if another process has the
 * lock by then, `fail` is called. Rejects if the database does not answer.
 */
export const lockDatabase = async (
  connectionString: string,
  mode: LockMode,
  {
    shutdownSteps,
    log,
    fail,
  }: { readonly shutdownSteps: ShutdownSteps; readonly log: Logger; readonly fail: (reason: string) => void },
): Promise<Either<LockHolder, void>> => {
  const first = await tryFor(connectionString, mode);
  if (isLeft(first)) return first;
  const away = (): Either<null, never> => left(null);
  const relock = async (signal: AbortSignal): Promise<Client | null> => {
    if (signal.aborted) return null;
    log.warn('the connection of the database lock was lost; connecting again');
    const tried = await retry<LockHolder | null, Client>(() => tryFor(connectionString, mode).catch(away), {
      ...PAUSES,
      signal,
      onFailure: (holder) => holder === null,
    });
    if (!isLeft(tried)) return tried.right;
    if (tried.left !== null) fail(`The database lock was lost, and ${tried.left.name} has it now.`);
    return null;
  };
  shutdownSteps.addLoop('database lock', async (signal) => {
    for (let client: Client | null = first.right; client !== null; client = await relock(signal)) {
      await untilLost(client, signal);
    }
  });
  return right(undefined);
};

const tryFor = (connectionString: string, mode: LockMode): Promise<Either<LockHolder, Client>> =>
  retry(() => tryOnce(connectionString, mode), { ...PAUSES, until: Date.now() + TRY_FOR_MS });

const tryOnce = async (connectionString: string, mode: LockMode): Promise<Either<LockHolder, Client>> => {
  const client = new Client({
    ...connectionTo(connectionString),
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: `process ${process.pid} on ${hostname()}`,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await prepareSession(client, 0);
    await client.query(KEEPALIVE);
    const { rows } = await client.query<{ locked: boolean }>(`SELECT ${FUNCTIONS[mode]}($1) AS locked`, [LOCK_KEY]);
    if (rows[0]?.locked === true) return right(client);
    const holders = await client.query<LockHolder>(HOLDER);
    await endConnection(client);
    return left(holders.rows[0] ?? { name: 'a process', since: new Date() });
  } catch (error) {
    await endConnection(client);
    throw error;
  }
};

/** Resolves when the connection has ended; ends it when the signal aborts. */
const untilLost = async (client: Client, signal: AbortSignal): Promise<void> => {
  const ended = new Promise((resolve) => client.once('end', resolve));
  const end = (): void => void endConnection(client);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  await ended;
  signal.removeEventListener('abort', end);
};
