import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Resident memory of processes together, in bytes, pages they share counted once, as the limit of a pod is judged: the
 * copy a server saves itself by shares most of its pages. A process that has ended counts nothing.
 */
export const residentBytes = async (processIds: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(processIds.map(residentBytesOf));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
};

/** Bytes of all files below a folder, links not followed. */
export const diskBytes = async (directory: string): Promise<number> => {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(({ parentPath, name }) => sizeOf(join(parentPath, name))));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
};

const residentBytesOf = async (processId: number): Promise<number> =>
  (await bytesIn(`/proc/${processId}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m)) ||
  (await bytesIn(`/proc/${processId}/status`, /^VmRSS:\s+(\d+) kB$/m)) ||
  (processId === process.pid ? process.memoryUsage.rss() : 0);

/** 0 where the system does not tell. */
const bytesIn = async (path: string, line: RegExp): Promise<number> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Number(line.exec(text)?.[1] ?? 0) * 1024;
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};
