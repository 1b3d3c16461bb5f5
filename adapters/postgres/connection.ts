import { readFile } from 'node:fs/promises';
import { Client, type ClientBase, type ClientConfig, DatabaseError } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { READ_PATH } from '../../projections/registry';

/** Default time limit for connecting, and for waiting for a connection of a pool. */
export const CONNECT_TIMEOUT_MS = 5_000;

const PASSWORD_FILE = 'password_file';
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
/** Keepalive, by which idle connections detect a lost server. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A connection string with the file of its password, null for none. */
export const withPasswordFile = (connectionString: string, file: string | null): string =>
  file === null
    ? connectionString
    : `${connectionString}${connectionString.includes('?') ? '&' : '?'}${PASSWORD_FILE}=${encodeURIComponent(file)}`;

/**
 * The client configuration of a connection string; the only place that parses one. A password file is read for every
 * new connection. Throws when `sslrootcert` cannot be read.
 */
export const connectionTo = (connectionString: string): ClientConfig => {
  const file = new URLSearchParams(connectionString.replace(/^[^?]*/, '')).get(PASSWORD_FILE);
  return {
    ...parseIntoClientConfig(connectionString),
    ...(file === null ? {} : { password: async () => (await readFile(file, 'utf8')).trim() }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'rowgraph',
  };
};

/**
 * Sets the time limits of a new connection, 0: none, by a statement: poolers refuse startup parameters. Rejects when
 * the server is a standby, to which a name can lead during a fail-over.
 */
export const prepareSession = async (client: ClientBase, statementTimeoutMs: number): Promise<void> => {
  const setUp = {
    text: `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
      set_config('idle_in_transaction_session_timeout', $3, false), pg_is_in_recovery() AS standby`,
    values: [statementTimeoutMs, LOCK_TIMEOUT_MS, IDLE_IN_TRANSACTION_MS].map(String),
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ standby: boolean }>(setUp);
  if (rows[0]?.standby === true) throw new Error('Connection terminated: the server is a standby.');
};

/** The same for the read side, which opens its own connections and finds the read models by its search path. */
export const readConnectionTo = (connectionString: string) => ({
  config: connectionTo(connectionString),
  prepare: async (client: ClientBase, statementTimeoutMs: number): Promise<void> => {
    await prepareSession(client, statementTimeoutMs);
    await client.query(`SET search_path TO ${READ_PATH.join(', ')}`);
  },
});

const TRIES = 3;
/** PgBouncer's error for BEGIN in statement mode. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Whether a pooler shares one connection of the server among clients (transaction or statement mode): an idle
 * connection loses its server process to another one. Rejects if the server does not answer.
 */
export const sharesConnections = async (connectionString: string): Promise<boolean> => {
  const clients = [0, 1].map(
    () => new Client({ ...connectionTo(connectionString), query_timeout: CONNECT_TIMEOUT_MS }),
  );
  const [first, second] = clients as [Client, Client];
  for (const client of clients) client.on('error', () => undefined);
  try {
    await Promise.all(clients.map((client) => client.connect()));
    for (let tried = 0; tried < TRIES; tried++) {
      const own = await processOf(first);
      await second.query('BEGIN');
      if ((await processOf(second)) === own || (await processOf(first)) !== own) return true;
      await second.query('COMMIT');
    }
    return false;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === PROTOCOL_VIOLATION) return true;
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
};

const processOf = async (client: Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
