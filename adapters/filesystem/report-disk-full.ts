import { type StoredEvent } from '../../domain/kernel/event';
import { tellsOfFullDisk, tryToWriteFiles } from './write-trial';
import { type WriteWatch } from '../system/write-watch';

/** Older events are about a disk that may have free space again. */
const RECENT_MS = 60_000;

/**
 * Notes that the disk of exports and pods is full when an export or an instance has just failed for it. Those on other
 * machines have disks of their own: the first trial here then finds that all is well.
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
    if (!tellsOfFullDisk(message)) continue;
    writes.failed('disk', message, () => tryToWriteFiles(directories));
  }
};

const errorMessageOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'errorMessage' in data ? String(data.errorMessage) : '';
