import { writeFile } from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import { type ClientBase, DatabaseError, Pool } from 'pg';
import { processIdentity } from '../system/process-table';
import { CONNECT_TIMEOUT_MS, connectionTo, prepareSession } from './connection';

/** Maximum number of connections to the database and time limit of a statement, by use; 0: no limit. */
export const CONNECTIONS = {
  commands: { max: 20, statementTimeoutMs: 60_000 },
  /** More connections than the processors can serve would only wait for each other. */
  reads: { max: Math.max(4, 2 * availableParallelism()), statementTimeoutMs: 10_000 },
  schemaCache: { max: 2, statementTimeoutMs: 0 },
  /** While a verification runs. */
  verification: { max: 3, statementTimeoutMs: 0 },
} as const;
/**
 * Connections of programs that yield to others, as do the server's processes of these connections on the same machine.
 * They have a tenth of the processor time of others there: with less, a busy machine stops them for seconds while
 * they hold locks that others wait for (docs/adr/0006-projections-with-checkpoints-and-epochs.md).
 */
export const MAINTENANCE = { name: 'rowgraph-maintenance', priority: 10, connectTimeoutMs: 60_000 } as const;

export interface PoolOptions {
  readonly connectionString: string;
  /** The name of the program, as the database lists its connections. Default: `rowgraph`. */
  readonly name?: string;
  /** Default: that of commands. */
  readonly max?: number;
  /** Default: that of commands. */
  readonly statementTimeoutMs?: number;
  /** Default: `CONNECT_TIMEOUT_MS`. */
  readonly connectTimeoutMs?: number;
  /** Priority of the server's processes, by the system's scale of -20 to 19, if they run on this machine. Default: unchanged. */
  readonly priority?: number;
  /** Called with errors of connections. */
  readonly log?: (message: string) => void;
  /** Called with every error response of the server. */
  readonly onServerError?: (error: DatabaseError, pool: Pool) => void;
}

/** Delay of the client's timeout after that of the server, for a server that no longer answers. */
const LOST_SERVER_MS = 5_000;

/**
 * Connections with time limits, so that a connection cannot hold the lock of the log. `bigint` columns are returned as
 * strings, since numbers would round them. Queries are sent without waiting for earlier results (pipeline mode).
 */
export const createPool = (options: PoolOptions): Pool => {
  const { commands } = CONNECTIONS;
  const { max = commands.max, statementTimeoutMs = commands.statementTimeoutMs, priority } = options;
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const pool = new Pool({
    ...connectionTo(options.connectionString, options.name),
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it
    onConnect: async (client) => {
      await prepareSession(client, statementTimeoutMs, connectTimeoutMs);
      if (priority !== undefined) await setServerPriority(client, priority);
    },
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + LOST_SERVER_MS } : {}),
    pipeline: true,
  });
  // Without listeners a lost connection would end the process. Its running query fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', (error: unknown) => {
      if (error instanceof DatabaseError) options.onServerError?.(error, pool);
    });
    client.on('error', (error) => {
      // The pool does not wait for the connections that it ends, so the server may stop before they close.
      if (!pool.ending) options.log?.(`A database connection was lost: ${error.message}`);
    });
  });
  return pool;
};

/**
 * Sets the priority of the server's process of a connection, if it runs on this machine and may be changed. PostgreSQL
 * has no setting for it.
 */
const setServerPriority = async (client: ClientBase, priority: number): Promise<void> => {
  const { rows } = await client.query<{ pid: number; is_near: boolean }>(
    'SELECT pg_backend_pid() AS pid, inet_server_addr() IS NOT DISTINCT FROM inet_client_addr() AS is_near',
  );
  for (const { pid, is_near } of rows) {
    // Behind a pooler, or in another container, the number may belong to any process.
    if (!is_near || processIdentity(pid)?.command.startsWith('postgres:') !== true) return;
    try {
      setPriority(pid, priority);
      // It has a session of its own: Linux may compare sessions, and the priorities of processes only within one.
      await writeFile(`/proc/${pid}/autogroup`, String(priority));
    } catch {
      // The server belongs to another user, or the kernel does not group processes by sessions.
    }
  }
};
