import { createWriteStream, existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { type Either, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../contracts/graph-pod/export-formats';
import { type CommandInput, type OptionSpec } from './action';
import { type Answer, type CliFailure, failed, usageError } from './failure';
import { FORMATS, type Output, sizeText } from './output';
import { type Terminal } from './terminal';

/** The formats of a file, by the extension of its name. */
const ENDINGS = { csv: /\.csv$/i, ndjson: /\.(ndjson|jsonl)$/i, arrow: /\.arrows?$/i, parquet: /\.parquet$/i };
type Form = keyof typeof ENDINGS;
const NAMES = Object.keys(ENDINGS) as readonly Form[];

/** Destination and format of all rows of a query result. */
export interface ExportTarget {
  readonly form: Form;
  /** The format the instance sends. */
  readonly sent: ExportFormat;
  /** Null: the standard output. */
  readonly file: string | null;
}

export const exportOptions: readonly OptionSpec[] = [
  { flags: '--ndjson', description: 'print one JSON object per row' },
  { flags: '--arrow', description: 'write an Arrow IPC stream' },
  { flags: '--parquet', description: 'write a Parquet file' },
  { flags: '-o, --output <file>', description: 'write all rows to a .csv, .ndjson, .arrow or .parquet file' },
];

/** The destination of an export; null when the result is only shown. */
export const exportTarget = (input: CommandInput, { out }: Terminal): Either<CliFailure, ExportTarget | null> => {
  const file = input.text('output') ?? null;
  const formats = NAMES.filter((one) => input.flag(one));
  // With a file and --json, the report about the file is JSON.
  const shown = file === null ? FORMATS.filter((one) => one !== 'csv' && input.flag(one)) : [];
  const named = file === null ? undefined : NAMES.find((one) => ENDINGS[one].test(file));
  const [form = named] = formats;
  if (formats.length > 1 || (formats.length > 0 && shown.length > 0)) {
    return left(usageError(`Choose one of --${[...shown, ...formats].join(' and --')}.`));
  }
  if (named !== undefined && form !== named) {
    return left(usageError(`${file} is the name of a file of --${named}, not of --${form}.`));
  }
  if (form === undefined) {
    if (file === null) return right(null);
    return left(usageError(`Unknown file format: "${file}". Add one of --${NAMES.join(', --')}.`));
  }
  if (file === null && (form === 'parquet' || (form === 'arrow' && out.isTTY))) {
    return left(usageError(`--${form} is binary; add --output <file>.`));
  }
  const folder = dirname(file ?? '.');
  if (!existsSync(folder)) return left(failed(`Cannot write ${file}: the folder ${folder} does not exist.`));
  return right({ form, file, sent: form === 'parquet' ? 'arrow' : form });
};

/** Writes rows to their destination. A file is created only when it is complete. */
export const writeExport = async (rows: Readable, { form, file }: ExportTarget, terminal: Terminal): Answer<Output> => {
  const signal = terminal.interrupted();
  addAbortSignal(signal, rows);
  try {
    await (file === null ? terminal.pipe(rows) : writeFile(rows, form, file));
    if (file === null) return right({ data: null });
    const bytes = statSync(file).size;
    terminal.errors.write(`Wrote ${file} (${sizeText(bytes)}).\n`);
    return right({ data: { file, bytes } });
  } catch (error) {
    if (signal.aborted) return left({ exitCode: 130, lines: [] });
    const reason = error instanceof Error ? error.message : String(error);
    if (file === null) return left(failed(`The export failed: ${reason}.`, 'The printed rows are not complete.'));
    if (error instanceof Error && 'path' in error) {
      return left(failed(`Cannot write ${file}: ${reason.split(',')[0]}.`));
    }
    return left(failed(`The export failed: ${reason}.`, `${file} was not written.`));
  } finally {
    rows.destroy();
  }
};

const writeParquetFile = async (rows: AsyncIterable<Uint8Array>, file: string): Promise<void> => {
  const { fileWriter } = await import('hyparquet-writer');
  const { writeParquet } = await import('../client/write-parquet.js');
  await writeParquet(rows, fileWriter(file), (bytes) => gzipSync(bytes, { level: 1 }));
};

const writeFile = async (rows: Readable, form: Form, file: string): Promise<void> => {
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
  try {
    if (form === 'parquet') await writeParquetFile(rows, partial);
    else await pipeline(rows, createWriteStream(partial));
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
};
