import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { constants, copyFile, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const PARTIAL = /^\.[0-9a-f-]{16,36}\.partial$/;

/** A new name for an unfinished write. */
export const newPartialName = (): string => `.${randomBytes(8).toString('hex')}.partial`;

/** Whether a file name is an unfinished write, which must not be listed or read. */
export const isPartialName = (name: string): boolean => PARTIAL.test(name);

/**
 * Writes a file to `target` completely or not at all, also after a power failure: `fill` writes a file of another name
 * in the same folder, which is flushed and renamed; then the folder itself is flushed.
 */
export const writeDurably = async (target: string, fill: (partialPath: string) => Promise<void>): Promise<void> => {
  const folder = dirname(target);
  await makeFolder(folder);
  const partialPath = join(folder, newPartialName());
  try {
    await fill(partialPath);
    await flush(partialPath);
    await rename(partialPath, target);
    await flush(folder);
  } finally {
    // The file still exists after a failure, and after renaming one hard link of a file to another, which has no
    // effect.
    await rm(partialPath, { force: true });
  }
};

/** Fills with the content of another file: by a hard link on the same device, otherwise by copying. */
export const fromFile =
  (source: string) =>
  async (partialPath: string): Promise<void> => {
    try {
      await link(source, partialPath);
    } catch (error) {
      if (!isErrno(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP')) throw error;
      await copyFile(source, partialPath, constants.COPYFILE_EXCL);
    }
  };

/** Fills with the content of a stream; fails if its length is not `bytes` (null: any length). */
export const fromStream =
  (stream: AsyncIterable<Uint8Array>, bytes: number | null) =>
  async (partialPath: string): Promise<void> => {
    const file = createWriteStream(partialPath, { flags: 'wx' });
    await pipeline(stream, file);
    if (bytes !== null && file.bytesWritten !== bytes)
      throw new Error(`the stream had ${file.bytesWritten} bytes instead of ${bytes}`);
  };

export const fromText =
  (text: string) =>
  (partialPath: string): Promise<void> =>
    writeFile(partialPath, text, { flag: 'wx' });

/** Whether a caught value is a file-system error with one of the codes. */
export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.some((code) => code === error.code);

/** The result of an operation on files; null after an error with one of the codes. */
export const unlessErrno = <A>(operation: Promise<A>, ...codes: readonly string[]): Promise<A | null> =>
  operation.catch((error: unknown) => {
    if (isErrno(error, ...codes)) return null;
    throw error;
  });

/** Creates the folder and its parents, and flushes every folder with a new entry. */
const makeFolder = async (folder: string): Promise<void> => {
  const firstMade = await mkdir(folder, { recursive: true });
  if (firstMade === undefined) return;
  const top = dirname(firstMade);
  for (let parent = dirname(folder); parent.length >= top.length; parent = dirname(parent)) {
    await flush(parent);
    if (parent === top) return;
  }
};

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
