import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../contracts/graph-pod/export-formats';
import { type CommandInput, type OptionSpec } from './action';
import { type CliFailure, failed, wrongUsage } from './failure';
import { type Output } from './output';
import { type Terminal } from './terminal';

/** Where all rows of an answer go, and in which form. */
export interface ExportTarget {
  readonly format: ExportFormat;
  /** Null: the standard output. */
  readonly file: string | null;
}

const ENDINGS: Readonly<Record<ExportFormat, RegExp>> = {
  csv: /\.csv$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
};
const FORMATS = ['csv', 'ndjson'] as const satisfies readonly ExportFormat[];

export const exportOptions: readonly OptionSpec[] = [
  { flags: '--ndjson', description: 'print a JSON object per row and line' },
  {
    flags: '-o, --output <file>',
    description: 'write all rows to a file, whose name tells the form: .csv, .ndjson',
  },
];

/** What is to be exported how; null when an answer is to be shown. */
export const exportTarget = (input: CommandInput): Either<CliFailure, ExportTarget | null> => {
  const file = input.text('output') ?? null;
  const named = FORMATS.filter((one) => input.flag(one));
  const [format = file === null ? undefined : FORMATS.find((one) => ENDINGS[one].test(file)), second] = named;
  if (second !== undefined) return left(wrongUsage(`Choose one of --${named.join(' and --')}.`));
  if (format !== undefined) return right({ format, file });
  return file === null
    ? right(null)
    : left(wrongUsage(`${file} does not tell a form; add one of --${FORMATS.join(', --')}.`));
};

/** Writes rows to where they go: a file is there as a whole or not at all. */
export const writeExport = async (
  rows: Readable,
  { file }: ExportTarget,
  terminal: Terminal,
): Promise<Either<CliFailure, Output>> => {
  const signal = terminal.interrupted();
  try {
    await (file === null ? terminal.pipe(rows, signal) : writeWhole(file, rows, signal));
    return right({ data: null, text: '' });
  } catch (error) {
    if (signal.aborted) return left({ exitCode: 130, lines: [] });
    const reason = error instanceof Error ? error.message : String(error);
    const complaint = file === null ? 'What was printed is not complete.' : `${file} was not written.`;
    return left(failed(`The rows broke off: ${reason}.`, complaint));
  }
};

/** Gives a file its name when it is complete. */
const writeWhole = async (file: string, rows: Readable, signal: AbortSignal): Promise<void> => {
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
  try {
    await pipeline(rows, createWriteStream(partial), { signal });
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
};
