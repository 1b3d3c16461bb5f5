import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { expectNoLeaks, leaksIn } from '../../support/leaks';

const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
const PROGRAM = join(packageRoot(__dirname), 'dist/pod/export-worker/main.js');

export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

/** Starts the compiled program with an IPC channel. */
export const startWorker = (environment: NodeJS.ProcessEnv): WorkerProcess => {
  const child = fork(PROGRAM, {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ends = [child.stdout!, child.stderr!].map((stream) => {
    stream.on('data', (chunk) => (output += String(chunk)));
    return finished(stream);
  });
  const exited = Promise.all([once(child, 'exit'), ...ends]).then(([[code]]) => {
    expectNoLeaks('The log of the worker', leaksIn(output.split('\n'), environment));
    return code as number | null;
  });
  return { child, output: () => output, exited };
};
