import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredEvent } from '../../domain/kernel/event';
import { type WriteWatch } from '../system/write-watch';
import { newPartialName } from './durable-write';
import { freeBytes } from './free-bytes';

/** Finds out that the disk of exports, pods and workers is full. */
export interface DiskWatch {
  /** Why files cannot be written; null if they can. `/ready` and `/cluster/health` report it. */
  readonly problem: () => Promise<string | null>;
  /** Tries to write after events about a full disk, which may have happened elsewhere or contain the text of a user. */
  readonly onEvents: (events: readonly StoredEvent[]) => Promise<void>;
  /** Tries to write after a failure that was about a full disk: it may have been a quota, which has free space. */
  readonly onFailure: (reason: string) => Promise<void>;
}

/** After older events, space may have been freed on the disk. */
const RECENT_MS = 60_000;
/** Large enough to need new space on the disk. */
const BYTES = 256 * 1024;

/** `freeBytesOf` measures a folder. */
export const watchDisk = (
  folders: readonly string[],
  writes: Pick<WriteWatch, 'failed' | 'failures'>,
  freeBytesOf = freeBytes,
): DiskWatch => {
  const tryToWrite = (): Promise<string | null> => testWrites(folders);
  const onFailure = async (reason: string): Promise<void> => {
    if (!DISK_FULL.test(reason)) return;
    const failure = await tryToWrite();
    if (failure !== null) writes.failed('disk', failure, tryToWrite);
  };
  return {
    problem: async () => {
      const { disk } = writes.failures();
      if (disk !== undefined) return `the last write failed: ${disk}`;
      for (const folder of folders) {
        const free = await freeBytesOf(folder);
        if (free !== null && free < BYTES) return `${folder} has ${free} bytes free; expected ${BYTES} or more`;
      }
      return null;
    },
    onEvents: async (events) => {
      const reason = events.filter(isRecentFailure).map(errorMessageOf).find(isAboutDisk);
      if (reason !== undefined) await onFailure(reason);
    },
    onFailure,
  };
};

const DISK_FULL = /ENOSPC|EDQUOT|no space left on device/i;

const isAboutDisk = (reason: string): boolean => DISK_FULL.test(reason);

const isRecentFailure = ({ type, recordedAt }: StoredEvent): boolean =>
  (type === 'ExportJobFailed' || type === 'InstanceFailed') && Date.now() - Date.parse(recordedAt) <= RECENT_MS;

const errorMessageOf = ({ data }: StoredEvent): string =>
  typeof data === 'object' && data !== null && 'errorMessage' in data ? String(data.errorMessage) : '';

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
