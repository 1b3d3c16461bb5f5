import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../adapters/cli';
import { type Terminal } from '../../adapters/cli/terminal';
import { commandGroups } from '../../adapters/maintenance/command-groups';
import { waitFor } from './wait-for';

const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
/** The program behind `rowgraph`. */
export const CLI_PROGRAM = join(packageRoot(__dirname), 'dist', 'adapters', 'maintenance', 'cli.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

export type CommandLine = (words: readonly string[], options?: RunOptions) => Promise<Ended>;

/** Runs command lines within this process, which is quick, with a separate home. */
export const commandLine =
  (home: string): CommandLine =>
  async (words, { input = '', environment = {} } = {}) => {
    const printed = { out: '', errors: '' };
    const terminal = terminalOf(printed, input);
    const options = { groups: commandGroups, version: '0', environment: { HOME: home, ...environment }, terminal };
    const code = await runProgram(words, options);
    return { code, ...printed };
  };

/** A terminal without a user that appends its output to `printed`. */
export const terminalOf = (printed: { out: string; errors: string }, input: string | Uint8Array = ''): Terminal => ({
  out: { isTTY: false, write: (written) => (printed.out += written).length > 0 },
  errors: { isTTY: false, write: (written) => (printed.errors += written).length > 0 },
  isInteractive: false,
  width: Infinity,
  pipe: async (bytes) => {
    printed.out += await text(bytes);
  },
  readInput: () => Promise.resolve(Buffer.from(input)),
  prompt: () => Promise.reject(new Error('The test has no user to ask.')),
  interrupted: () => new AbortController().signal,
});

/** Runs the real program with a separate home; `interruptAt`: sends Ctrl-C as soon as stderr contains this. */
export const commandProgram =
  (home: string, interruptAt?: string): CommandLine =>
  (words, { input = '', environment = {} } = {}) =>
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

/** Runs the real program until a condition holds, then ends it by `kill -9`. */
export const killedProgram = async (
  home: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  isTime: (pid: number) => Promise<boolean>,
): Promise<void> => {
  const program = spawn(process.execPath, [CLI_PROGRAM, ...words], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...environment },
    stdio: 'ignore',
  });
  const ended = once(program, 'close');
  try {
    await waitFor(`the condition to kill rowgraph ${words.join(' ')}`, () => isTime(program.pid ?? 0));
  } finally {
    program.kill('SIGKILL');
    await ended;
  }
};
