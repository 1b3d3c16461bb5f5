import { DatabaseError, Pool } from 'pg';

export interface PoolOptions {
  readonly connectionString: string;
  /** Most connections at once. Default 20. */
  readonly max?: number;
  /** Longest time a statement may take, 0 for any. Default one minute. */
  readonly statementTimeoutMs?: number;
  /** Takes what goes wrong with connections. */
  readonly log?: (message: string) => void;
  /** Hears of every error the server answers with, whatever becomes of it. */
  readonly onServerError?: (error: DatabaseError, pool: Pool) => void;
}

const CONNECT_WITHIN_MS = 5_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How much later than the server the client gives up: only when the server cannot be heard any more. */
const LOST_SERVER_MS = 5_000;

/**
 * Connections with time limits, so that nobody can sit on the lock of the log. `bigint` columns arrive as strings:
 * a number would round them. What is asked of a connection before it has answered is sent on at once (pipeline mode).
 */
export const createPool = (options: PoolOptions): Pool => {
  const statementTimeoutMs = options.statementTimeoutMs ?? 60_000;
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.max ?? 20,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: statementTimeoutMs,
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + LOST_SERVER_MS } : {}),
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    pipeline: true,
    application_name: 'rowgraph',
  });
  // Without listeners a lost connection would end the process. Who was using it sees the query fail.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', (error: unknown) => {
      if (error instanceof DatabaseError) options.onServerError?.(error, pool);
    });
    client.on('error', (error) => {
      // The pool does not wait for the connections it ends: the server may be gone before they are.
      if (!pool.ending) options.log?.(`A database connection was lost: ${error.message}`);
    });
  });
  return pool;
};
