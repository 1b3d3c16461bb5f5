import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromText, unlessErrno, writeDurably } from '../filesystem/durable-write';

const fileIn = (folder: string): string => join(folder, 'left-out');

/** Keeps the paths of the files whose opening ended a process, for all processes that share the folder. */
export const keepLeftOut = (folder: string, paths: readonly string[]): Promise<void> =>
  writeDurably(fileIn(folder), fromText(paths.join('\n')));

/** The kept paths. */
export const readLeftOut = async (folder: string): Promise<readonly string[]> => {
  const text = await unlessErrno(readFile(fileIn(folder), 'utf8'), 'ENOENT');
  return text?.split('\n').filter((path) => path !== '') ?? [];
};
