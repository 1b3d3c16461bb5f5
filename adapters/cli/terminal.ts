import { createInterface } from 'node:readline/promises';
import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Screen } from './progress-display';

export interface Terminal {
  readonly out: Screen;
  readonly errors: Screen;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  /** Columns for tables; Infinity for files and pipes. */
  readonly width: number;
  /** Writes bytes to stdout; rejects when the stream fails. */
  readonly pipe: (bytes: Readable) => Promise<void>;
  readonly readInput: () => Promise<Uint8Array>;
  readonly prompt: (question: string) => Promise<string>;
  /** Aborted by Ctrl-C or SIGTERM while a command waits. */
  readonly interrupted: () => AbortSignal;
}

/** Writes text that may contain data: a terminal would execute control sequences in it. */
export const writeText = (screen: Screen, text: string): void =>
  void screen.write(screen.isTTY ? text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd') : text);

export const processTerminal = (): Terminal => {
  // The reader may close the pipe early, for example `head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return {
    out: process.stdout,
    errors: process.stderr,
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    width: process.stdout.isTTY ? process.stdout.columns : Infinity,
    pipe: (bytes) => pipeline(bytes, process.stdout, { end: false }),
    readInput: () => buffer(process.stdin),
    prompt: (question) =>
      new Promise((resolve) => {
        const reader = createInterface({ input: process.stdin, output: process.stderr });
        // Ctrl-C and the end of the input are an empty answer.
        reader.once('close', () => resolve(''));
        reader.question(question).then(
          (answer) => {
            resolve(answer.trim());
            reader.close();
          },
          () => resolve(''),
        );
      }),
    interrupted: () => {
      const controller = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
      return controller.signal;
    },
  };
};
