import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isLeft, left, right } from 'fp-ts/Either';
import { parse, stringify } from 'yaml';
import { type CommandInput, type Outcome } from '../cli/action';
import { failed } from '../cli/failure';
import { printDescription } from '../duckdb/csv/csv-description';
import { decideDescribedFile, descriptionPath } from '../duckdb/csv/decide-described-file';
import { isMarker, tableOfFile } from '../duckdb/file-endings';
import { csvFileOf } from '../duckdb/warehouse-files';
import { fromText, unlessErrno, writeDurably } from '../filesystem/durable-write';

const MEMORY_MB = 1_000;

/** Writes the description of a CSV file, or of a folder of them, beside it. */
export const describeCsv = async (input: CommandInput): Outcome => {
  const path = resolve(input.argument(0));
  try {
    const files = await partsOf(path);
    if (files.length === 0 || !files.every(isCsv))
      return left(failed(`${path} is not read as CSV: expected a file, or a folder of files, ending in .csv or .tsv.`));
    const yaml = (await unlessErrno(readFile(descriptionPath(path), 'utf8'), 'ENOENT')) ?? '';
    const delimiter = input.text('delimiter');
    const header = input.text('header');
    const given = {
      ...(delimiter === undefined ? {} : { delimiter: delimiter === 'tab' ? '\t' : delimiter }),
      ...(header === undefined ? {} : { header: header === 'yes' }),
    };
    const described = stringify({ ...(parse(yaml) as object | null), ...given });
    const limits = { memoryLimitMb: MEMORY_MB, threads: 2, spillDirectory: tmpdir() };
    const layout = await decideDescribedFile(csvFileOf({ path, files }), described, limits);
    if (isLeft(layout)) return left(failed(`${layout.left}.`));
    const text = printDescription(layout.right);
    await writeDurably(descriptionPath(path), fromText(text));
    return right({
      data: layout.right,
      text: `Wrote ${descriptionPath(path)}; it is used from the next refresh.\n${text}`,
    });
  } catch (error) {
    return left(failed(`${path} could not be described: ${error instanceof Error ? error.message : String(error)}`));
  }
};

/** The file, or the files of a folder. */
const partsOf = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => !isMarker(name) && tableOfFile(name) !== null);
  return names.sort().map((name) => join(path, name));
};

const isCsv = (path: string): boolean => ['csv', 'tsv'].includes(tableOfFile(path)?.format ?? '');
