import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { endOf, type EngineProcess } from '../engine-process';
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

/**
 * Ties the server's life to ours, also when we are killed: descriptor 3 is a pipe whose other end only we hold, and a
 * watcher in the server's process group kills the group when it ends.
 */
const TIED_TO_OWNER = `( read -r _ <&3; kill -s KILL -- -$$ ) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-`;

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
  const child = spawn('/bin/sh', ['-c', TIED_TO_OWNER, 'sh', programs.server, ...serverArguments(options)], {
    cwd: directory,
    detached: true,
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter((line) => line !== ''));
    lines.splice(0, lines.length - LAST_LINES);
  });
  child.stdio[3]?.on('error', () => undefined);
  let hasEnded = false;
  const ended = endOf(child);
  void ended.then(() => {
    hasEnded = true;
    // Its watcher ends with the pipe.
    child.stdio[3]?.destroy();
  });
  const { pid } = child;
  if (pid === undefined) return left({ kind: 'rejected', reason: await ended });
  const server: ServerProcess = {
    pid,
    ended,
    // The working directory of the process stands for a path that may be too long for a socket.
    connect: () => openConnection(`/proc/${pid}/cwd/${SOCKET}`),
    kill: () => {
      if (!hasEnded) killGroup(pid);
    },
  };
  options.onSpawn(server);
  const untilEnded = (): boolean => !hasEnded;
  while (untilEnded()) {
    if (await answers(server)) return right(server);
    await wait(POLL_MS);
  }
  const reason = `the server ended (${await ended}) before it answered; its last lines: ${lines.join(' | ')}`;
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

const killGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
};
