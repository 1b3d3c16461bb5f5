import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Client } from 'pg';
import { exitText, type LaunchedProcess, launchProcess } from '../system/launch-process';
import { processIdentity } from '../system/process-table';
import { retry } from '../system/retry';
import { locatePostgresBinaries } from './postgres-binaries';
import { choosePort, choosePostgresAccount, POSTGRES_USER, prepareCluster } from './postgres-cluster';

export interface PostgresServerOptions {
  /** All files of the server. Created if missing; used by one server at a time. */
  readonly dataDirectory: string;
  /** Receives the lines that the server writes. */
  readonly log: (line: string) => void;
  /** False: faster, but data can be lost in a power failure; for tests. Default: true. */
  readonly durable?: boolean;
}

export interface PostgresServer {
  /** On loopback, with the password; unchanged after the next start, unless another program uses its port. */
  readonly connectionString: string;
  /** Stops the server and closes its connections; resolves after its exit. */
  stop(): Promise<void>;
  /** The listener is called once if the server exits without `stop`. Start a new server then. */
  onExit(listener: (reason: string) => void): void;
}

type Failure = { readonly message: string };

const READY_WITHIN_MS = 60_000;
const FAST_SHUTDOWN_MS = 20_000;
/** Temporary failures: the port is in use, or processes of a killed server are still running. */
const PASSING = /could not bind|could not create any TCP|pre-existing shared memory block/;

/**
 * Starts the PostgreSQL of the npm packages. The server ends with this process, even if this process is killed. A
 * server left running by an earlier process is stopped first; after a crash the server recovers before it accepts
 * connections.
 */
export const startPostgres = async (options: PostgresServerOptions): Promise<Either<Failure, PostgresServer>> => {
  const dataDirectory = resolve(options.dataDirectory);
  const durable = options.durable ?? true;
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    const binaries = await locatePostgresBinaries(join(dataDirectory, 'lib'));
    if (isLeft(binaries)) return binaries;
    const account = await choosePostgresAccount();
    const cluster = await prepareCluster(dataDirectory, binaries.right, account, durable);
    if (isLeft(cluster)) return cluster;
    const leftover = await stopLeftover(cluster.right.directory);
    if (isLeft(leftover)) return leftover;

    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const port = await choosePort(dataDirectory);
      const connectionString = `postgres://${POSTGRES_USER}:${cluster.right.password}@127.0.0.1:${port}/postgres`;
      const started = launchProcess({
        command: [
          ...account.prefix,
          binaries.right.postgres,
          '-D',
          cluster.right.directory,
          ...settings(port, durable),
        ],
        account: account.identity,
        environment: binaries.right.environment,
        signalAtOwnerEnd: 'INT',
        onLine: options.log,
      });
      if (isLeft(started)) return left({ message: started.left.reason });
      const server = started.right;
      const failure = await untilReady(server, connectionString, deadline);
      if (failure === null) return right(handle(server, connectionString));
      if (!PASSING.test(failure) || Date.now() > deadline) {
        return left({ message: `PostgreSQL in ${dataDirectory} did not start: ${failure}` });
      }
      await sleep(100);
    }
  } catch (error) {
    return left({
      message: `PostgreSQL in ${dataDirectory} could not be started: ${String(error)}. The folder must be writable for this user.`,
    });
  }
};

const settings = (port: number, durable: boolean): readonly string[] =>
  Object.entries({
    cluster_name: clusterNameOf(process.pid),
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    // Data is in memory or on an SSD: random access costs hardly more than sequential access.
    random_page_cost: 1.1,
    effective_cache_size: '1GB',
    max_wal_size: '1GB',
    // Without replicas and an archive, bulk loads of a rebuild into new tables skip the write-ahead log.
    wal_level: 'minimal',
    max_wal_senders: 0,
    // Parallel workers communicate through /dev/shm, which is small in containers.
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Omits the rows on which statements failed.
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Null when the server accepts connections, otherwise the reason why it does not. */
const untilReady = async (
  server: LaunchedProcess,
  connectionString: string,
  deadline: number,
): Promise<string | null> => {
  const lastLines = (): string => server.lastErrorLines().join('\n');
  const ended = new AbortController();
  void server.terminated.then((exit) => ended.abort(`it ended with ${exitText(exit)}`));
  const tried = await retry(() => tryConnection(connectionString), {
    pausesMs: [15, 15],
    until: deadline,
    signal: ended.signal,
  });
  if (ended.signal.aborted) return `${String(ended.signal.reason)}.\n${lastLines()}`;
  if (!isLeft(tried)) return null;
  server.signal('SIGQUIT');
  await server.terminated;
  return `it did not accept connections within ${READY_WITHIN_MS / 1000} s.\n${lastLines()}`;
};

const tryConnection = async (connectionString: string): Promise<Either<string, void>> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return right(undefined);
  } catch (error) {
    return left(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
};

const handle = (server: LaunchedProcess, connectionString: string): PostgresServer => {
  let isStopping = false;
  return {
    connectionString,
    stop: async () => {
      isStopping = true;
      server.signal('SIGINT');
      const killTimer = setTimeout(() => server.signal('SIGQUIT'), FAST_SHUTDOWN_MS);
      await server.terminated;
      clearTimeout(killTimer);
    },
    onExit: (listener) =>
      void server.terminated.then((exit) => {
        if (!isStopping) listener(exitText(exit));
      }),
  };
};

const LEFTOVER_FAST_SHUTDOWN_MS = 15_000;
const LEFTOVER_IMMEDIATE_SHUTDOWN_MS = 5_000;
const OWNER = /rowgraph-owner-(\d+)/;

/** The cluster name of a server. Later starts read the owner of a running server from it. */
const clusterNameOf = (ownerPid: number): string => `rowgraph-owner-${ownerPid}`;

/**
 * Stops a server that an earlier process left running in this cluster. A server whose owner is running is not stopped
 * but reported: two programs must not share a data folder.
 */
const stopLeftover = async (
  clusterDirectory: string,
): Promise<Either<{ readonly message: string }, 'none' | 'stopped'>> => {
  const pidFile = join(clusterDirectory, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return right('none');

  const command = commandLine(pid);
  if (!command.includes(clusterDirectory)) {
    // The process id was reused, as is usual in containers: PostgreSQL would mistake the other process for a running
    // server.
    await rm(pidFile, { force: true });
    return right('none');
  }
  const owner = OWNER.exec(command)?.[1];
  if (owner !== undefined && isAlive(Number(owner))) {
    return left({
      message:
        `The data folder ${clusterDirectory} is in use by process ${owner} (its PostgreSQL is process ${pid}). ` +
        'Stop that program first, or choose another ROWGRAPH_DATA_DIR.',
    });
  }
  if (await endsAfter('SIGINT', pid, LEFTOVER_FAST_SHUTDOWN_MS)) return right('stopped');
  if (await endsAfter('SIGQUIT', pid, LEFTOVER_IMMEDIATE_SHUTDOWN_MS)) return right('stopped');
  return left({
    message: `PostgreSQL process ${pid}, which an earlier run left in ${clusterDirectory}, does not stop. End it with kill -QUIT ${pid} and start again.`,
  });
};

const isAlive = (pid: number): boolean => processIdentity(pid) !== null;

/** Empty if the process does not exist. */
const commandLine = (pid: number): string => processIdentity(pid)?.command ?? '';

const endsAfter = async (signal: NodeJS.Signals, pid: number, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  if (isAlive(pid)) process.kill(pid, signal);
  while (commandLine(pid) !== '') {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
};
