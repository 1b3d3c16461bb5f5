import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { isLeft, left, right } from 'fp-ts/Either';
import { parse, stringify } from 'yaml';
import { type CommandInput, type Outcome } from '../cli/action';
import { failed } from '../cli/failure';
import { printDescription } from '../duckdb/csv/csv-description';
import { decideDescribedFile, descriptionPath } from '../duckdb/csv/decide-described-file';
import { csvFileOf } from '../duckdb/warehouse-files';
import { fromText, isErrno, writeDurably } from '../filesystem/durable-write';

const MEMORY_MB = 1_000;

/** Writes the description of a CSV file beside it. */
export const describeCsv = async (input: CommandInput): Outcome => {
  const path = resolve(input.argument(0));
  try {
    const yaml = await textIfExists(descriptionPath(path));
    const delimiter = input.text('delimiter');
    const header = input.text('header');
    const given = {
      ...(delimiter === undefined ? {} : { delimiter: delimiter === 'tab' ? '\t' : delimiter }),
      ...(header === undefined ? {} : { header: header === 'yes' }),
    };
    const described = stringify({ ...(parse(yaml) as object | null), ...given });
    const limits = { memoryLimitMb: MEMORY_MB, threads: 2, spillDirectory: tmpdir() };
    const layout = await decideDescribedFile(csvFileOf(path), described, limits);
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

const textIfExists = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return '';
    throw error;
  }
};
