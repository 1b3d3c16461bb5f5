import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { type PostgresAccount } from './postgres-account';

/**
 * Ties the server's life to ours, also when we are killed and cannot say goodbye. Descriptor 3 is a pipe whose other
 * end only we hold. A watcher reads it: a line means that the server has ended, the end of the pipe that we have, and
 * then it asks the server to shut down. The watcher is forked twice, because a server that finds a child it does not
 * know believes in a crash. `$$` is the server's process id, since `exec` (and `unshare` before it) keep it.
 */
const TIED_TO_OWNER = `( ( read -r ended <&3 || kill -INT $$ ) >/dev/null 2>&1 & )
exec "$@" 3<&-`;

const KEPT_LINES = 20;

export interface PostgresProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly reason: string; readonly lastLines: string }>;
}

/** Runs the server until it ends or this process does. What it writes goes line by line to `log`. */
export const launchPostgres = (launch: {
  readonly command: readonly string[];
  readonly account: PostgresAccount;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}): PostgresProcess => {
  const [program = 'sh', ...args] = [...launch.account.prefix, 'sh', '-c', TIED_TO_OWNER, 'sh', ...launch.command];
  const child = spawn(program, args, {
    ...launch.account.identity,
    // A session of its own: Ctrl-C in the terminal reaches us, and we stop the server when nobody needs it any more.
    detached: true,
    env: { ...process.env, ...launch.environment },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const lastLines: string[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      launch.log(line);
    });
  }
  const tie = child.stdio[3];
  if (tie instanceof Writable) tie.on('error', () => undefined);

  const ended = new Promise<{ readonly reason: string; readonly lastLines: string }>((resolve) => {
    const end = (reason: string): void => {
      if (tie instanceof Writable) tie.end('ended\n');
      resolve({ reason, lastLines: lastLines.join('\n') });
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${String(code)}` : `signal ${signal}`));
  });
  return { child, ended };
};
