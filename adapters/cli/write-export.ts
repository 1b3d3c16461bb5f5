import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../contracts/graph-pod/export-formats';
import { type CommandInput, type OptionSpec } from './action';
import { type CliFailure, failed, wrongUsage } from './failure';
import { type Output } from './output';
import { type Terminal } from './terminal';

/** What an export becomes: how the instance sends it, and the endings of its files. */
const FORMS = {
  csv: { sent: 'csv', ending: /\.csv$/i },
  ndjson: { sent: 'ndjson', ending: /\.(ndjson|jsonl)$/i },
  arrow: { sent: 'arrow', ending: /\.arrows?$/i },
  parquet: { sent: 'arrow', ending: /\.parquet$/i },
} as const satisfies Readonly<Record<string, { readonly sent: ExportFormat; readonly ending: RegExp }>>;
type Form = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as readonly Form[];

/** Where all rows of an answer go, and in which form. */
export interface ExportTarget {
  readonly form: Form;
  /** How the instance sends them. */
  readonly sent: ExportFormat;
  /** Null: the standard output. */
  readonly file: string | null;
}

export const exportOptions: readonly OptionSpec[] = [
  { flags: '--ndjson', description: 'print a JSON object per row and line' },
  { flags: '--arrow', description: "write a stream of Arrow's IPC format" },
  { flags: '--parquet', description: 'write a Parquet file' },
  {
    flags: '-o, --output <file>',
    description: 'write all rows to a file, whose name tells the form: .csv, .ndjson, .arrow, .parquet',
  },
];

/** What is to be exported how; null when an answer is to be shown. */
export const exportTarget = (input: CommandInput, { out }: Terminal): Either<CliFailure, ExportTarget | null> => {
  const file = input.text('output') ?? null;
  const asked = NAMES.filter((one) => input.flag(one));
  const [form = file === null ? undefined : NAMES.find((one) => FORMS[one].ending.test(file)), second] = asked;
  if (second !== undefined) return left(wrongUsage(`Choose one of --${asked.join(' and --')}.`));
  if (form === undefined) {
    if (file === null) return right(null);
    return left(wrongUsage(`${file} does not tell a form; add one of --${NAMES.join(', --')}.`));
  }
  if (file === null && (form === 'parquet' || (form === 'arrow' && out.isTTY))) {
    return left(wrongUsage(`--${form} is nothing to read on a terminal; add --output <file>.`));
  }
  return right({ form, file, sent: FORMS[form].sent });
};

/** Writes rows to where they go: a file is there as a whole or not at all. */
export const writeExport = async (
  rows: Readable,
  { form, file }: ExportTarget,
  terminal: Terminal,
): Promise<Either<CliFailure, Output>> => {
  const signal = terminal.interrupted();
  addAbortSignal(signal, rows);
  try {
    await (file === null ? terminal.pipe(rows) : writeWhole(file, (partial) => WRITERS[form](rows, partial)));
    return right({ data: null, text: '' });
  } catch (error) {
    if (signal.aborted) return left({ exitCode: 130, lines: [] });
    const reason = error instanceof Error ? error.message : String(error);
    const complaint = file === null ? 'What was printed is not complete.' : `${file} was not written.`;
    return left(failed(`The rows broke off: ${reason}.`, complaint));
  } finally {
    rows.destroy();
  }
};

type Write = (rows: Readable, path: string) => Promise<void>;

const writeBytes: Write = (rows, path) => pipeline(rows, createWriteStream(path));

const WRITERS: Readonly<Record<Form, Write>> = {
  csv: writeBytes,
  ndjson: writeBytes,
  arrow: writeBytes,
  parquet: async (rows, path) => (await import('./write-parquet.js')).writeParquet(rows, path),
};

/** Gives a file its name when it is complete. */
const writeWhole = async (file: string, write: (partial: string) => Promise<void>): Promise<void> => {
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
  try {
    await write(partial);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
};
