import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { launchProcess } from '../../../../adapters/system/launch-process';
import { type CallFailure } from '../engine-failure';
import { type EngineProcess, engineProcess } from '../engine-process';
import { type OnSpawn } from '../engine-supervisor';
import { type Connection, items, openConnection, type Reply, type RowSink, textOf } from './connection';
import { type EnginePrograms } from './module/programs';
import { saveGraph } from './save-graph';
import { type Names } from './value-encoder';

/** Runs an action while the server's row limit is off for every query. */
type WithoutRowLimit = <A>(use: () => Promise<A>) => Promise<A>;

const POLL_MS = 5;

export const runServer = async (options: ServerOptions): Promise<Either<CallFailure, RunningServer>> => {
  const started = await startServer(options);
  if (isLeft(started)) return started;
  const server = answering(started.right, await started.right.connect(), options.maxRows);
  const made = await server.run('RETURN 1');
  if (isLeft(made)) return made;
  await server.refreshNames();
  return right(server);
};

/** A running server, with the connections to it. */
export type RunningServer = ReturnType<typeof answering>;

/** `main`: the connection for internal commands. */
const answering = (server: ServerProcess, main: Connection, maxRows: number) => {
  const idle: Connection[] = [];
  let names: Names = { labels: [], types: [], properties: [] };
  const run = (text: string, onRow?: RowSink): Promise<Either<CallFailure, Reply>> =>
    main.send(['GRAPH.QUERY', GRAPH_KEY, text, '--compact'], onRow);
  return {
    ...server,
    /** Sends a command on the connection for internal ones. */
    send: main.send,
    /** Runs a statement that writes, or an internal one. */
    run,
    /** The number in the only cell of an answer. */
    count: async (text: string): Promise<Either<CallFailure, number>> => {
      let counted = 0;
      const reply = await run(text, (row) => {
        counted = Number(items(items(row)[0])[1]);
      });
      return isLeft(reply) ? reply : right(counted);
    },
    /** A connection for one query, which must be released. */
    borrow: async (): Promise<Connection> => idle.pop() ?? server.connect(),
    /** Keeps a connection for the next query, if it is still open. */
    release: (connection: Connection): void => {
      if (!connection.isOpen()) return;
      connection.resume();
      idle.push(connection);
    },
    withoutRowLimit: createRowLimit(server.connect, maxRows),
    names: () => names,
    refreshNames: async (): Promise<void> => {
      names = await readNames(main);
    },
    /** Writes the graph to its file while queries run. */
    save: () => saveGraph(main),
  };
};

/** Reads the names that answers refer to by number. Throws if the server does not reply. */
const readNames = async (connection: Connection): Promise<Names> => ({
  labels: await column(connection, 'CALL db.labels()'),
  types: await column(connection, 'CALL db.relationshipTypes()'),
  properties: await column(connection, 'CALL db.propertyKeys()'),
});

/** The texts of the first column of an answer, in order. */
const column = async (connection: Connection, text: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const reply = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, '--compact'], (row) => {
    names.push(textOf(items(items(row)[0])[1]));
  });
  if (isLeft(reply)) throw new Error(reply.left.reason);
  return names;
};

/**
 * The server has one row limit for all queries, so during an export other queries may compute more rows than they
 * return. Changes are made one after the other, each on its own connection, because other connections may be busy.
 * Throws if the limit cannot be lifted.
 */
const createRowLimit = (connect: () => Promise<Connection>, usualLimit: number): WithoutRowLimit => {
  let users = 0;
  let changed: Promise<unknown> = Promise.resolve();
  const change = (rows: number): Promise<Either<CallFailure, unknown>> => {
    const next = changed.then(async () => {
      const connection = await connect();
      const reply = await connection.send(['GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', String(rows)]);
      connection.close();
      return reply;
    });
    changed = next.catch(() => undefined);
    return next;
  };
  return async (use) => {
    users++;
    try {
      const lifted = await change(-1);
      if (isLeft(lifted)) throw new Error(`The row limit of the server cannot be lifted: ${lifted.left.reason}`);
      return await use();
    } finally {
      users--;
      if (users === 0) void change(usualLimit).catch(() => undefined);
    }
  };
};

interface ServerOptions {
  readonly programs: EnginePrograms;
  /** Folder of this server only: its socket and its saved graph. */
  readonly directory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  readonly queriesAtOnce: number;
  /** Limit of the rows that the server computes. */
  readonly maxRows: number;
  /** Called with the process before it is ready. */
  readonly onSpawn: OnSpawn;
}

interface ServerProcess extends EngineProcess {
  readonly connect: () => Promise<Connection>;
}

/** A relative name, because the path of a socket must be short. */
const SOCKET = 'engine.sock';
const SAVED_GRAPH = 'graph.rdb';
/** The key under which the server keeps the graph. */
export const GRAPH_KEY = 'graph';
const LAST_LINES = 5;

/** Starts the server and waits until it has loaded its saved graph: until then it answers PING with an error. */
const startServer = async (options: ServerOptions): Promise<Either<CallFailure, ServerProcess>> => {
  const { programs, directory } = options;
  const lines: string[] = [];
  const launched = launchProcess({
    command: [programs.server, ...serverArguments(options)],
    workingDirectory: directory,
    environment: { TZ: 'UTC', LC_ALL: 'C' },
    onLine: (line) => {
      if (line !== '') lines.push(line);
      lines.splice(0, lines.length - LAST_LINES);
    },
  });
  if (isLeft(launched)) return left({ kind: 'rejected', reason: launched.left.reason });
  const server: ServerProcess = {
    ...engineProcess(launched.right),
    // The working directory of the process replaces a path that may be too long for a socket.
    connect: () => openConnection(`/proc/${launched.right.pid}/cwd/${SOCKET}`),
  };
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  options.onSpawn(server);
  const untilEnded = (): boolean => !hasEnded;
  while (untilEnded()) {
    if (await isReady(server)) return right(server);
    await wait(POLL_MS);
  }
  const reason = `the server ended (${await server.ended}) before it answered; its last lines: ${lines.join(' | ')}`;
  return left({ kind: 'rejected', reason });
};

const serverArguments = ({ programs, memoryBytes, cpuCores, queriesAtOnce, maxRows }: ServerOptions): string[] => {
  const settings = {
    port: 0,
    unixsocket: SOCKET,
    unixsocketperm: 700,
    dir: '.',
    dbfilename: SAVED_GRAPH,
    // Saved by command only.
    save: '',
    appendonly: 'no',
    rdbcompression: 'no',
    // The file is read on this machine only.
    rdbchecksum: 'no',
    maxmemory: Math.floor(memoryBytes * 0.9),
    'maxmemory-policy': 'noeviction',
    'proto-max-bulk-len': 2 ** 30,
    'enable-debug-command': 'no',
    'enable-module-command': 'no',
  };
  const graph = {
    THREAD_COUNT: queriesAtOnce,
    OMP_THREAD_COUNT: Math.max(1, Math.floor(cpuCores)),
    RESULTSET_SIZE: maxRows,
    // A query may use a quarter of the instance's memory.
    QUERY_MEM_CAPACITY: Math.floor(memoryBytes / 4),
    CMD_INFO: 'no',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return [...words, '--loadmodule', programs.module, ...Object.entries(graph).flat().map(String)];
};

const isReady = async (server: ServerProcess): Promise<boolean> => {
  try {
    const connection = await server.connect();
    const reply = await connection.send(['PING']);
    connection.close();
    return !isLeft(reply);
  } catch {
    return false;
  }
};
