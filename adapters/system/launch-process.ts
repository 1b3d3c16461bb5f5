import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { type Either, left, right } from 'fp-ts/Either';
import { killTree } from './process-table';
import { settlesWithin } from './time-limit';

export interface ProcessLaunch {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The environment of the program, in addition to PATH. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  /** The user the program runs as; default: that of this process. */
  readonly account?: { readonly uid?: number; readonly gid?: number };
  /** Opens an IPC channel with this serialization, for programs on Node.js. */
  readonly channel?: 'json' | 'advanced';
  /** Sent when this process ends before the program: SIGKILL (default) to its group, SIGINT to the program alone. */
  readonly signalAtOwnerEnd?: 'KILL' | 'INT';
  /** Receives the output; without it, the output goes where that of this process goes. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
  readonly onMessage?: (message: unknown) => void;
}

/** How a process ended: one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process with its descendants. */
export interface LaunchedProcess {
  /** Also the number of its process group. */
  readonly pid: number;
  /** Resolves as soon as the process itself has ended. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves when its descendants have ended, too, and its last output lines have been delivered. */
  readonly terminated: Promise<ProcessExit>;
  /** The last lines it has written to its standard error output. */
  readonly lastErrorLines: () => readonly string[];
  /** False when the IPC channel is closed. */
  readonly send: (message: object | string | number) => boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Sends SIGTERM, and kills the whole tree after a grace period. Resolves like `kill`. */
  readonly stop: (graceMs: number) => Promise<boolean>;
  /** Closes the IPC channel, and kills the whole tree after a grace period. Resolves like `kill`. */
  readonly disconnect: (graceMs: number) => Promise<boolean>;
  /** Kills the whole tree. Resolves when it has ended, or with false when a process is stuck in the kernel. */
  readonly kill: () => Promise<boolean>;
}

export const exitText = ({ code, signal }: ProcessExit): string =>
  signal === null ? `exit code ${String(code)}` : `signal ${signal}`;

/**
 * Descriptor 3 is a pipe whose other end only the owner has. A watcher reads it; it ends when the owner ends, also by
 * SIGKILL, and then the watcher sends the signal $1 to $2$$, the process (`exec` keeps its number) or its group. The
 * watcher is forked twice, because PostgreSQL treats the end of an unknown child as a crash. It is in the process
 * group, so that the group's number is not reused while members live.
 */
const TIED_TO_OWNER = `( ( read -r _ <&3; kill -s "$1" -- "$2$$" ) 4<&- </dev/null >/dev/null 2>&1 & )
shift 2
exec "$@" 3<&-`;

const LAST_LINES_MS = 1_000;
const KEPT_ERROR_LINES = 20;

/**
 * Starts a process in a process group of its own that ends with this process at the latest. Left says why the operating
 * system did not start it.
 */
export const launchProcess = (launch: ProcessLaunch): Either<{ readonly reason: string }, LaunchedProcess> => {
  const { workingDirectory, account = {}, channel, signalAtOwnerEnd = 'KILL', onLine, onMessage } = launch;
  const target = signalAtOwnerEnd === 'KILL' ? '-' : '';
  const output = onLine === undefined ? 'inherit' : 'pipe';
  const name = launch.command.join(' ');
  let child: ChildProcess;
  try {
    child = spawn('/bin/sh', ['-c', TIED_TO_OWNER, 'sh', signalAtOwnerEnd, target, ...launch.command], {
      ...account,
      cwd: workingDirectory,
      detached: true,
      env: { PATH: process.env['PATH'], ...launch.environment },
      ...(channel === undefined ? {} : { serialization: channel }),
      stdio: ['ignore', output, output, 'pipe', ...(channel === undefined ? [] : (['ipc'] as const))],
    });
  } catch (error) {
    return left({ reason: `${name} could not be started: ${String(error)}` });
  }
  // The reason is emitted a tick later.
  child.on('error', () => undefined);
  child.stdio[3]?.on('error', () => undefined);
  if (child.pid === undefined) return left({ reason: `${name} could not be started in ${workingDirectory ?? '.'}` });
  const errorLines: string[] = [];
  const allLinesRead = Promise.all([
    readLines(child.stdout, (line) => onLine?.(line, 'stdout')),
    readLines(child.stderr, (line) => {
      errorLines.push(line);
      errorLines.splice(0, errorLines.length - KEPT_ERROR_LINES);
      onLine?.(line, 'stderr');
    }),
  ]);
  if (onMessage !== undefined) child.on('message', onMessage);
  return right({ ...handleOf(child, child.pid, allLinesRead), lastErrorLines: () => errorLines });
};

const handleOf = (
  child: ChildProcess,
  pid: number,
  allLinesRead: Promise<unknown>,
): Omit<LaunchedProcess, 'lastErrorLines'> => {
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  let isTerminated = false;
  const terminated = exited.then(async (exit) => {
    await killTree(pid);
    isTerminated = true;
    await settlesWithin(allLinesRead, LAST_LINES_MS);
    for (const stream of child.stdio) stream?.destroy();
    return exit;
  });
  const kill = async (): Promise<boolean> => {
    if (!isTerminated && !(await killTree(pid))) return false;
    await terminated;
    return true;
  };
  const endAfter = async (graceMs: number, requestEnd: () => void): Promise<boolean> => {
    if (child.exitCode === null && child.signalCode === null) requestEnd();
    return (await settlesWithin(terminated, graceMs)) || kill();
  };
  return {
    pid,
    exited,
    terminated,
    send: (message) => child.connected && (child.send(message, () => undefined), true),
    signal: (signal) => void child.kill(signal),
    stop: (graceMs) => endAfter(graceMs, () => child.kill('SIGTERM')),
    disconnect: (graceMs) => endAfter(graceMs, () => child.connected && child.disconnect()),
    kill,
  };
};

/** Resolves when every writer has closed the stream. */
const readLines = (stream: Readable | null, onLine: (line: string) => void): Promise<void> =>
  new Promise((resolve) => {
    if (stream === null) return resolve();
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine).on('close', resolve);
  });
