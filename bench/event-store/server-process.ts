import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_LINES = 200;

/** Ends the group of processes $1 when our end of its standard input closes, however we end. */
const WATCH = 'read -r _ || kill -s KILL -- "-$1"';

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when it has ended, with its exit code or signal. */
  readonly ended: Promise<string>;
  /** Sends a signal to the server and everything it started. */
  signal(signal: NodeJS.Signals): void;
  lastLines(): string;
}

/**
 * Runs a server in a process group of its own that ends with this process at the latest. Variables called
 * `EVENTSTORE_*`, which the server would take as its options, are not handed on.
 */
export const startServerProcess = (command: string, args: readonly string[]): ServerProcess => {
  const environment = Object.entries(process.env).filter(([name]) => !/^EVENTSTORE_/i.test(name));
  const child = spawn(command, [...args], {
    detached: true,
    env: Object.fromEntries(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started.`);
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.stdin.on('error', () => undefined);
  const lines = lastLinesOf(child);
  return {
    pid,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        watcher.stdin.end('ended\n');
        resolve(signal ?? `exit code ${String(code)}`);
      });
    }),
    signal: (signal) => {
      try {
        process.kill(-pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    },
    lastLines: () => lines.join('\n'),
  };
};

const lastLinesOf = (child: ChildProcess): readonly string[] => {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
    });
  }
  return lines;
};
