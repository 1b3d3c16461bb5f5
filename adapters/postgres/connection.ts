import { readFile } from 'node:fs/promises';
import { Client, type ClientBase, type ClientConfig, DatabaseError } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { READ_PATH } from '../../projections/registry';

/** Default time limit for connecting, and for waiting for a connection of a pool. */
export const CONNECT_TIMEOUT_MS = 5_000;

const PASSWORD_FILE = 'password_file';
/** Parameters of every session, also if an administrator has set them otherwise for the role or the database. */
const SESSION = {
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '30s',
  idle_session_timeout: '0',
  default_transaction_isolation: 'read committed',
  datestyle: 'ISO, MDY',
};
const SET_SESSION = Object.entries(SESSION).map(([name, value]) => `set_config('${name}', '${value}', false)`);
/** Keepalive, by which idle connections detect a lost server. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** A connection string with the file of its password, null for none. */
export const withPasswordFile = (connectionString: string, file: string | null): string =>
  file === null
    ? connectionString
    : `${connectionString}${connectionString.includes('?') ? '&' : '?'}${PASSWORD_FILE}=${encodeURIComponent(file)}`;

/**
 * The client configuration of a connection string; the only place that parses one. `name`: of the program, as the
 * database lists its connections. A password file is read for every new connection. Throws when `sslrootcert` cannot be
 * read.
 */
export const connectionTo = (connectionString: string, name = 'rowgraph'): ClientConfig => {
  const file = new URLSearchParams(connectionString.replace(/^[^?]*/, '')).get(PASSWORD_FILE);
  return {
    ...parseIntoClientConfig(connectionString),
    ...(file === null ? {} : { password: () => passwordIn(file) }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: name,
  };
};

/** Removes what an earlier client has left on the connection of a pooler without a `server_reset_query`. */
const CLEAN_UP = 'DEALLOCATE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all()';

/** Rejects as a failed connection: while a file is replaced, it may be absent or empty. */
const passwordIn = async (file: string): Promise<string> => {
  const password = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (password === '') throw new Error(`Connection error: the password file ${file} is empty or cannot be read.`);
  return password;
};

/**
 * Sets the parameters of a new connection, among them the time limit of statements, 0: none. A statement does it, since
 * poolers refuse startup parameters. Rejects when the server is a standby, to which a name can lead during a fail-over.
 */
export const prepareSession = async (
  client: ClientBase,
  statementTimeoutMs: number,
  withinMs = CONNECT_TIMEOUT_MS,
): Promise<void> => {
  const setUp = {
    text: `SELECT set_config('statement_timeout', $1, false), ${SET_SESSION.join(', ')}, pg_is_in_recovery() AS standby`,
    values: [String(statementTimeoutMs)],
    query_timeout: withinMs,
  };
  const [, { rows }] = await Promise.all([client.query(CLEAN_UP), client.query<{ standby: boolean }>(setUp)]);
  if (rows[0]?.standby === true) throw new Error('Connection terminated: the server is a standby.');
};

/** The same for the read side, which opens its own connections and finds the read models by its search path. */
export const readConnectionTo = (connectionString: string, searchPath = READ_PATH) => ({
  config: connectionTo(connectionString),
  prepare: async (client: ClientBase, statementTimeoutMs: number): Promise<void> => {
    await prepareSession(client, statementTimeoutMs);
    await client.query(`SET search_path TO ${searchPath.join(', ')}`);
  },
});

const CLOSE_WITHIN_MS = 1_000;

/** Ends a connection, also one whose server does not answer any more. */
export const endConnection = async (client: Client): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), CLOSE_WITHIN_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
};

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
    await Promise.all(clients.map(endConnection));
  }
};

const processOf = async (client: Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
