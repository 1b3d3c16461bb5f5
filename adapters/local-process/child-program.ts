import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { killTree } from '../system/process-table';

export interface ProgramLaunch {
  /** The compiled entry file. */
  readonly programPath: string;
  readonly args?: readonly string[];
  /** The program sees this and of our own variables PATH, HOME, TMPDIR and LANG, nothing else. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
  readonly onMessage?: (message: unknown) => void;
}

/** How a program ended: one of the two is null. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running program of ours with everything it started. */
export interface ChildProgram {
  /** Also the number of its process group. */
  readonly pid: number;
  /** Resolves as soon as the program itself has ended. */
  readonly exited: Promise<ProgramExit>;
  /** Resolves when nothing it started lives any more and its last lines have been handed over. */
  readonly gone: Promise<ProgramExit>;
  /** False when the program has hung up. */
  send(message: Serializable): boolean;
  /** Asks it to end by SIGTERM, and kills its whole tree after a grace period. Resolves like `kill`. */
  stop(graceMs: number): Promise<boolean>;
  /** Hangs up, which programs of ours end on without ceremony, and kills the tree after a grace period. */
  hangUp(graceMs: number): Promise<boolean>;
  /** Kills the whole tree. Resolves when it is gone, or with false when a process is stuck in the kernel. */
  kill(): Promise<boolean>;
}

/**
 * Ties the program's life to ours, also when we are killed and cannot say goodbye. Descriptor 4 is a channel whose
 * other end only we hold; a watcher in the program's process group reads it, and when it ends, kills the group. The
 * watcher also keeps the group's number from being given to somebody else before we have emptied the group.
 */
const TIED_TO_OWNER = `( read -r _ <&4; kill -s KILL -- -$$ ) 3<&- </dev/null >/dev/null 2>&1 &
exec "$@" 4<&-`;

const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
const LAST_LINES_MS = 1_000;

/**
 * Starts one of our programs in a process group of its own, with an IPC channel that it must end on when it closes.
 * Left says why the operating system did not start it.
 */
export const startProgram = (launch: ProgramLaunch): Either<{ readonly reason: string }, ChildProgram> => {
  const command = [process.execPath, launch.programPath, ...(launch.args ?? [])];
  let child: ChildProcess;
  try {
    child = spawn('/bin/sh', ['-c', TIED_TO_OWNER, 'sh', ...command], {
      cwd: launch.workingDirectory,
      detached: true,
      env: { ...inherited(), ...launch.environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
  } catch (error) {
    return left({ reason: `${launch.programPath} could not be started: ${String(error)}` });
  }
  // The reason comes a tick later; without a process number there is nothing to wait for.
  child.on('error', () => undefined);
  child.stdio[4]?.on('error', () => undefined);
  if (child.pid === undefined) {
    return left({ reason: `${launch.programPath} could not be started in ${launch.workingDirectory ?? '.'}` });
  }
  const allLinesRead = Promise.all([
    readLines(child.stdout, (line) => launch.onLine(line, 'stdout')),
    readLines(child.stderr, (line) => launch.onLine(line, 'stderr')),
  ]);
  if (launch.onMessage !== undefined) child.on('message', launch.onMessage);
  return right(handleOf(child, child.pid, allLinesRead));
};

const handleOf = (child: ChildProcess, pid: number, allLinesRead: Promise<unknown>): ChildProgram => {
  const exited = new Promise<ProgramExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const gone = exited.then(async (exit) => {
    await killTree(pid);
    await isDoneWithin(allLinesRead, LAST_LINES_MS);
    for (const stream of child.stdio) stream?.destroy();
    return exit;
  });
  const kill = async (): Promise<boolean> => {
    const dead = await killTree(pid);
    if (dead) await gone;
    return dead;
  };
  const endAfter = async (graceMs: number, ask: () => void): Promise<boolean> => {
    if (child.exitCode === null && child.signalCode === null) ask();
    return (await isDoneWithin(gone, graceMs)) || kill();
  };
  return {
    pid,
    exited,
    gone,
    send: (message) => child.connected && (child.send(message, () => undefined), true),
    stop: (graceMs) => endAfter(graceMs, () => child.kill('SIGTERM')),
    hangUp: (graceMs) => endAfter(graceMs, () => child.connected && child.disconnect()),
    kill,
  };
};

const inherited = (): Record<string, string> =>
  Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

/** Resolves when nobody can write any more. */
const readLines = (stream: Readable | null, onLine: (line: string) => void): Promise<void> =>
  new Promise((resolve) => {
    if (stream === null) return resolve();
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine).on('close', resolve);
  });

const isDoneWithin = async (event: Promise<unknown>, milliseconds: number): Promise<boolean> => {
  const over = new AbortController();
  const timer = sleep(milliseconds, false, { signal: over.signal }).catch(() => false);
  const done = await Promise.race([event.then(() => true), timer]);
  over.abort();
  return done;
};
