import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newPartialName } from './durable-write';

/** Large enough to need new space on the disk. */
const BYTES = 256 * 1024;

/** Writes a file below each folder to the disk and removes it. Returns the reason of a failure, null after a success. */
export const tryToWriteFiles = async (folders: readonly string[]): Promise<string | null> => {
  for (const folder of folders) {
    const path = join(folder, newPartialName());
    try {
      await mkdir(folder, { recursive: true });
      const file = await open(path, 'wx');
      try {
        await file.writeFile(Buffer.alloc(BYTES, 'x'));
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await rm(path, { force: true });
    }
  }
  return null;
};

/** Whether a failure, as programs report it, says that the disk they wrote to is full. */
export const tellsOfFullDisk = (message: string): boolean => /ENOSPC|EDQUOT|no space left on device/i.test(message);
