import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredEvent } from '../../domain/kernel/event';
import { type WriteWatch } from '../system/write-watch';
import { newPartialName } from './durable-write';

/** After older events, space may have been freed on the disk. */
const RECENT_MS = 60_000;

/**
 * After an export or an instance failed with a message about a full disk, writes to the disk of exports and pods, and
 * reports a failure. The message may come from another machine or contain the text of a user.
 */
export const reportDiskFull = async (
  events: readonly StoredEvent[],
  writes: Pick<WriteWatch, 'failed'>,
  directories: readonly string[],
): Promise<void> => {
  if (!events.some(isDiskFull)) return;
  const test = (): Promise<string | null> => testWrites(directories);
  const reason = await test();
  if (reason !== null) writes.failed('disk', reason, test);
};

const isDiskFull = ({ type, data, recordedAt }: StoredEvent): boolean =>
  (type === 'ExportJobFailed' || type === 'InstanceFailed') &&
  Date.now() - Date.parse(recordedAt) <= RECENT_MS &&
  /ENOSPC|EDQUOT|no space left on device/i.test(errorMessageOf(data));

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
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
  return null;
};
