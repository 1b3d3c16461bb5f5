import { Client, DatabaseError } from 'pg';
import { connectionTo, CONNECT_TIMEOUT_MS } from './connection';

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
