import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredEvent } from '../../domain/kernel/event';
import { newPartialName } from './durable-write';
import { type WriteWatch } from '../system/write-watch';

/** After older events, space may have been freed on the disk. */
const RECENT_MS = 60_000;

/**
 * Reports that the disk of exports and pods is full after an export or an instance failed for that reason. On other
 * machines they use other disks: the first test write here then succeeds.
 */
export const reportDiskFull = (
  events: readonly StoredEvent[],
  writes: Pick<WriteWatch, 'failed'>,
  directories: readonly string[],
): void => {
  for (const { type, data, recordedAt } of events) {
    if (type !== 'ExportJobFailed' && type !== 'InstanceFailed') continue;
    if (Date.now() - Date.parse(recordedAt) > RECENT_MS) continue;
    const message = errorMessageOf(data);
    if (!isDiskFull(message)) continue;
    writes.failed('disk', message, () => testWrites(directories));
  }
};

const errorMessageOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'errorMessage' in data ? String(data.errorMessage) : '';

/** Large enough to need new space on the disk. */
const BYTES = 256 * 1024;

/** Writes a file below each folder to the disk and removes it. Returns the reason of a failure, null on success. */
const testWrites = async (folders: readonly string[]): Promise<string | null> => {
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

/** Whether the message of a failure reports a full disk. */
const isDiskFull = (message: string): boolean => /ENOSPC|EDQUOT|no space left on device/i.test(message);
