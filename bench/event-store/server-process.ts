import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_LINES = 200;

/** Kills the process group $1 when our end of its standard input closes, however this process ends. */
const WATCH = 'read -r _ || kill -s KILL -- "-$1"';

export interface ServerProcess {
  readonly pid: number;
  /** Resolves with the exit code or signal when the server has ended. */
  readonly ended: Promise<string>;
  /** Sends a signal to the server and all processes it started. */
  signal(signal: NodeJS.Signals): void;
  lastLines(): string;
}

/**
 * Runs a server in its own process group, which ends with this process at the latest. Variables named `EVENTSTORE_*`,
 * which the server would read as its options, are not passed on.
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
        // The process group has already ended.
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
