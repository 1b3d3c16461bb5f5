import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { launchProcess } from '../../../../adapters/system/launch-process';
import { type CallFailure } from '../engine-failure';
import { engineProcess, type EngineProcess } from '../engine-process';
import { type OnSpawn } from '../engine-supervisor';
import { openConnection, type Connection } from './connection';
import { type EnginePrograms } from './module/programs';

export interface ServerOptions {
  readonly programs: EnginePrograms;
  /** Folder of this server alone: its socket and its saved graph. */
  readonly directory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  readonly queriesAtOnce: number;
  /** Rows of an answer above which the server computes no more. */
  readonly maxRows: number;
  /** Gets the process before it answers. */
  readonly onSpawn: OnSpawn;
}

export interface ServerProcess extends EngineProcess {
  readonly connect: () => Promise<Connection>;
}

/** A relative name, because the path of a socket must be short. */
const SOCKET = 'engine.sock';
export const SAVED_GRAPH = 'graph.rdb';
/** The key under which the server keeps the graph. */
export const GRAPH_KEY = 'graph';
const POLL_MS = 5;
const LAST_LINES = 5;

/** Starts the server and waits until it answers: at once when empty, later when it reads its saved graph. */
export const startServer = async (options: ServerOptions): Promise<Either<CallFailure, ServerProcess>> => {
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
    // The working directory of the process stands for a path that may be too long for a socket.
    connect: () => openConnection(`/proc/${launched.right.pid}/cwd/${SOCKET}`),
  };
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  options.onSpawn(server);
  const untilEnded = (): boolean => !hasEnded;
  while (untilEnded()) {
    if (await answers(server)) return right(server);
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
    // Saved when there is something new to save, and never by itself.
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
    // One query may take a quarter of the instance's memory.
    QUERY_MEM_CAPACITY: Math.floor(memoryBytes / 4),
    CMD_INFO: 'no',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return [...words, '--loadmodule', programs.module, ...Object.entries(graph).flat().map(String)];
};

const answers = async (server: ServerProcess): Promise<boolean> => {
  try {
    const connection = await server.connect();
    const reply = await connection.send(['PING']);
    connection.close();
    return !isLeft(reply);
  } catch {
    return false;
  }
};
