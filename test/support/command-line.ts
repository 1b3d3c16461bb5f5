import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
/** The program behind `rowgraph`. */
export const CLI_PROGRAM = join(packageRoot(__dirname), 'dist', 'adapters', 'composition', 'cli.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Ctrl-C as soon as stderr holds this. */
  readonly interruptAt?: string;
}

/** Runs the real program with a home of its own. */
export const commandLine =
  (home: string) =>
  (words: readonly string[], { input = '', environment = {}, interruptAt }: RunOptions = {}): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const program = spawn(process.execPath, [CLI_PROGRAM, ...words], {
        cwd: home,
        env: { PATH: process.env['PATH'], HOME: home, ...environment },
      });
      let [out, errors, interrupted] = ['', '', false];
      program.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      program.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
        if (interruptAt === undefined || interrupted || !errors.includes(interruptAt)) return;
        interrupted = true;
        program.kill('SIGINT');
      });
      program.once('error', reject);
      program.once('close', (code) => resolve({ code, out, errors }));
      program.stdin.end(input);
    });
